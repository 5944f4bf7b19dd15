// The documents of the site in the order of their readers. A test says that each document of the project is here once.
// An entry is a path, or a path and the title in the navigation where that of the document is long.
export const START = 'data/start.md';

export const NAVIGATION = [
  ['Start', [START, ['README.md', 'What it is']]],
  [
    'A checkout engineer',
    [
      'data/examples/README.md',
      'src/front/http/README.md',
      'src/front/client/README.md',
      ['src/engine/carriers/README.md', 'Shopify'],
    ],
  ],
  [
    'An operator',
    [
      ['data/deploy/README.md', 'In production'],
      ['data/deploy/alerts.md', 'When an alert fires'],
      ['data/deploy/cluster.md', 'Several nodes'],
      'src/front/command-line/README.md',
    ],
  ],
  ['A performance engineer', ['bench/README.md', 'test/README.md']],
  [
    'Recipes',
    [
      ['data/recipes/README.md', 'All recipes'],
      'data/recipes/po-boxes.md',
      'data/recipes/islands.md',
      'data/recipes/hazardous-goods.md',
      'data/recipes/free-above.md',
      'data/recipes/mixed-carts.md',
      'data/recipes/holidays.md',
      'data/recipes/carrier-surcharges.md',
    ],
  ],
  [
    'Prices',
    [
      ['src/engine/domain/README.md', 'The rules by number'],
      'src/front/console/README.md',
      'src/engine/lint/README.md',
      'data/deploy/migration.md',
      'src/engine/import/README.md',
    ],
  ],
  [
    'The code',
    [
      'src/README.md',
      ['src/decisions.md', 'Decisions'],
      'CONTRIBUTING.md',
      'src/front/README.md',
      'src/shop/README.md',
      'src/shop/actor/README.md',
      'src/shop/pool/README.md',
      'src/store/README.md',
      'src/store/log/README.md',
      'src/store/cluster/README.md',
      'src/store/cluster/why-current.md',
      'src/engine/README.md',
      'src/base/README.md',
    ],
  ],
  ['What changed', ['CHANGELOG.md']],
];

export const documents = NAVIGATION.flatMap(([, entries]) =>
  entries.map((entry) => (typeof entry === 'string' ? entry : entry[0])),
);
