/** Finds pages, methods, rules, zones, groups, checks and versions by name: a box that Ctrl+K opens. */
import { Button, Kbd, Text } from '@mantine/core';
import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import IconSearch from '@tabler/icons-react/icons/IconSearch';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Schemas } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { dayText } from '../english.ts';
import { rowText } from '../parts/change-text.ts';
import { NOTHING } from '../parts/record-kind.ts';
import { isAwaited, useAnswer } from '../parts/use-answer.ts';
import { linkTo } from '../place.ts';
import { zoneCountryNames } from '../place-names.ts';
import { ruleSentence } from '../rule-words.ts';
import { PAGES } from './pages.ts';

/** Versions that can be found. */
const VERSIONS = 50;
const FOUND_MAX = 12;

interface Found {
  readonly config: Schemas['ConfigSnapshot'];
  readonly versions: readonly Schemas['VersionRow'][];
}

const goTo = (page: string, parameters?: Readonly<Record<string, string>>) => () => {
  location.hash = linkTo(page, parameters);
};

const PAGE_ACTIONS: SpotlightActionGroupData = {
  group: 'Pages',
  actions: PAGES.map(({ name, title, icon: Icon }) => ({
    id: name,
    label: title,
    leftSection: <Icon size={18} stroke={1.6} />,
    onClick: goTo(name),
  })),
};

const group = (
  page: string,
  title: string,
  records: readonly {
    readonly id: string;
    readonly name: string;
    readonly description?: string;
    readonly keywords?: string[];
  }[],
): SpotlightActionGroupData => ({
  group: title,
  actions: records.map(({ id, name, description = '', keywords = [] }, at) => ({
    id: `${title} ${id} ${at}`,
    label: name,
    ...{ description, keywords },
    onClick: goTo(page, { open: id }),
  })),
});

function actionsOf({ config, versions }: Found, currency: string): SpotlightActionGroupData[] {
  const { methods, zones, productGroups, blendedRates, checks } = config;
  const zoneNames = new Map(zones.map(({ id, name }) => [id, name]));
  const places = [...productGroups, ...zones.flatMap(({ subzones }) => subzones)];
  const names = new Map(places.map(({ id, name }) => [id, name]));
  const context = { currency, nameOf: (id: string) => names.get(id) };
  const rules = methods.flatMap((method) =>
    method.rules.map((rule) => ({
      id: method.id,
      name: rule.name || ruleSentence(rule, context),
      description: method.name,
    })),
  );
  const namesIn = zoneCountryNames(zones);
  return [
    PAGE_ACTIONS,
    // First of the records: a country leads to the zone that has it.
    group(
      'zones',
      'Zones',
      zones.map(({ id, name }) => ({ id, name, keywords: namesIn.get(id) ?? [] })),
    ),
    group(
      'methods',
      'Methods',
      methods.map(({ id, name, zoneId }) => ({ id, name, description: zoneNames.get(zoneId) ?? '' })),
    ),
    group('methods', 'Rules', rules),
    group('groups', 'Product groups', productGroups),
    group('blends', 'Blended rates', blendedRates),
    group('checks', 'Checks', checks),
    group(
      'history',
      'Versions',
      versions.map((version) => ({
        id: version.id,
        name: `Version ${version.number}`,
        description: `${dayText(version.createdAt)} ${rowText(version)}`,
      })),
    ),
  ];
}

export function Search() {
  const [wasOpened, setOpened] = useState(false);
  const { changeset } = useApp();
  const { calls, shop } = useSignedIn();
  const answer = useAnswer<Found>(
    async (signal) => {
      if (!wasOpened) return NOTHING;
      const [config, versions] = await Promise.all([
        calls.getConfig({ signal }),
        calls.listVersions({ query: { limit: VERSIONS }, signal }),
      ]);
      if (!config.ok) return config;
      if (!versions.ok) return versions;
      return { ...config, value: { config: config.value, versions: versions.value.versions } };
    },
    [wasOpened, changeset.value?.id],
  );
  const { value } = answer;
  const input = useRef<HTMLInputElement>(null);
  /** Enter was pressed before there was anything to take. */
  const isEntered = useRef(false);
  const actions = useMemo(() => (value === null ? [PAGE_ACTIONS] : actionsOf(value, shop.currency)), [value]);
  // The library marks the first that is found when something is typed, not when it is found later.
  useEffect(() => {
    if (!input.current?.value) return;
    const first = input.current.closest('[role=dialog]')?.querySelector<HTMLElement>('[data-action]');
    if (isEntered.current) first?.click();
    else first?.setAttribute('data-selected', 'true');
    isEntered.current = false;
  }, [actions]);
  return (
    <>
      <Button ml="auto" flex="none" leftSection={<IconSearch size={16} />} onClick={() => spotlight.open()}>
        <Text span c="dimmed" size="sm" visibleFrom="sm">
          Find a method, zone, version…
        </Text>
        <Text span hiddenFrom="sm" className="only-read">
          Find
        </Text>
        <Kbd size="xs" ml="sm" visibleFrom="md">
          Ctrl K
        </Kbd>
      </Button>
      <Spotlight
        actions={actions}
        shortcut="mod + K"
        // Also while something is typed: else the browser would take the keys for a search of its own.
        tagsToIgnore={[]}
        limit={FOUND_MAX}
        scrollable
        highlightQuery
        maxHeight={420}
        attributes={{ content: { 'aria-label': 'Find' } }}
        nothingFound={isAwaited(answer) ? 'Reading what the shop has…' : 'Nothing has this name.'}
        onSpotlightOpen={() => setOpened(true)}
        onSpotlightClose={() => {
          isEntered.current = false;
        }}
        searchProps={{
          leftSection: <IconSearch size={18} />,
          placeholder: 'Find pages, methods, rules, zones, checks, versions…',
          'aria-label': 'What to find',
          ref: input,
          onKeyDown: ({ key }) => {
            isEntered.current = key === 'Enter' && value === null;
          },
        }}
      />
    </>
  );
}
