/** The groups of routes in the OpenAPI document, in its order, each with what it is about. */
export const TAGS = {
  Zones: 'Where the shop ships: countries, and in them subzones of postal codes',
  'Product groups': 'Products that are priced together',
  Methods: 'The shipping methods of a zone and how each is priced',
  Rules: 'Conditions that hide or show a method, make it free, or change its price',
  'Blended rates': 'One rate for a cart of several product groups',
  Checks: 'Carts with an expected answer',
  Simulation: 'The rates of a cart, and what live simulations have used',
  Configuration: 'The whole configuration at once, and what is wrong in it',
  Versions: 'The history of the configuration',
  Staging: 'A changeset, in which changes are tried before they go live',
  Vocabulary: 'The words of conditions, rules and rates',
  Carriers: 'Callbacks of shop systems, signed in place of a key',
  Shop: 'Settings, limits and usage of the shop',
  Keys: 'API keys',
  Audit: 'Who changed keys, settings, plan, secrets and changesets',
  Operators:
    'Shops, their first keys, and the service as a whole: with the key of operators, or without one on the socket in the data ' +
    'folder. `/operator/shops/{shopId}/api/...` are all paths that begin with `/api/`, for that shop, as with an admin key of it',
  Operations: 'Health, metrics and the description of the interface; no key is needed',
} as const satisfies Readonly<Record<string, string>>;

export type Tag = keyof typeof TAGS;
