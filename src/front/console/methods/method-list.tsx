/** Methods by zone and product group, with search. Shows a part of a long list, because a shop may have thousands. */
import { useMemo } from 'preact/hooks';
import { useApp, useSignedIn } from '../app-state.ts';
import { ChoiceField, TextField } from '../parts/field.tsx';
import { useMore } from '../parts/long-list.tsx';
import { linkTo } from '../place.ts';
import { zoneOptions } from '../place-names.ts';
import { recentCarts } from '../tester/recent-carts.ts';
import { testerLink } from '../tester/tester-link.ts';
import { counted } from '../words.ts';
import type { Method } from './method-kind.ts';
import { rateSummary } from './rate-words.ts';
import type { Config } from './trial.ts';
import { cartFor } from './trial-cart.ts';

/** Rows that are shown at first, and again with each "more". */
const ROWS_STEP = 100;

interface Section {
  /** The ids of the zone or subzone and of the group. */
  readonly place: string;
  readonly title: string;
  readonly methods: readonly Method[];
}

const includes = (method: Method, text: string): boolean =>
  [method.name, method.serviceCode, method.subtitle, method.id, ...method.rules.map(({ name }) => name)].some(
    (each) => each.toLowerCase().includes(text),
  );

/** The methods that fit the search, below their zone and group, in the order of the shop. */
function sectionsOf(config: Config, find: string, zoneId: string, groupId: string): readonly Section[] {
  const text = find.trim().toLowerCase();
  const fitting = config.methods.filter(
    (method) =>
      (zoneId === '' || method.zoneId === zoneId) &&
      (groupId === '' || method.productGroupId === groupId) &&
      (text === '' || includes(method, text)),
  );
  const byPlace = new Map<string, Method[]>();
  for (const method of fitting) {
    const place = `${method.zoneId} ${method.productGroupId}`;
    const methods = byPlace.get(place);
    if (methods === undefined) byPlace.set(place, [method]);
    else methods.push(method);
  }
  return zoneOptions(config.zones).flatMap(([zone, zoneName]) =>
    config.productGroups.flatMap((group) => {
      const place = `${zone} ${group.id}`;
      const methods = byPlace.get(place) ?? [];
      const title = config.productGroups.length < 2 ? zoneName : `${zoneName}: ${group.name}`;
      return methods.length === 0 ? [] : [{ place, title, methods }];
    }),
  );
}

export function MethodList({ config, openId }: { readonly config: Config; readonly openId: string }) {
  const app = useApp();
  const { find = '', zone = '', group = '' } = app.place.value.parameters;
  const known = useMemo(() => [...recentCarts(), ...config.checks.map(({ request }) => request)], [config]);
  const sections = sectionsOf(config, find, zone, group);
  const found = sections.flatMap(({ methods }) => methods);
  const [first, more] = useMore(found, ROWS_STEP);
  const shown = new Set(first);
  return (
    <>
      <div class="fields">
        <TextField label="Search" type="search" value={find} onValue={(text) => app.set({ find: text })} />
        <ChoiceField
          label="Zone"
          value={zone}
          options={[['', 'All zones'], ...zoneOptions(config.zones)]}
          onValue={(chosen) => app.set({ zone: chosen })}
        />
        {config.productGroups.length < 2 ? null : (
          <ChoiceField
            label="Product group"
            value={group}
            options={[['', 'All groups'], ...config.productGroups.map(({ id, name }) => [id, name] as const)]}
            onValue={(chosen) => app.set({ group: chosen })}
          />
        )}
      </div>
      <p class="quiet" role="status">
        {found.length === config.methods.length ? '' : `${found.length} of `}
        {counted(config.methods.length, 'method')}
      </p>
      {sections
        .map((section) => ({ ...section, methods: section.methods.filter((method) => shown.has(method)) }))
        .filter(({ methods }) => methods.length > 0)
        .map(({ place, title, methods }) => (
          <section key={place}>
            <h3 class="section-title">{title}</h3>
            <ul class="lines">
              {methods.map((method) => (
                <MethodRow
                  key={method.id}
                  method={method}
                  isOpen={method.id === openId}
                  test={testerLink(cartFor(config, method, known), { open: method.id })}
                  isEdited={app.drafts.has(`methods ${method.id}`)}
                />
              ))}
            </ul>
          </section>
        ))}
      {more}
    </>
  );
}

interface MethodRowProps {
  readonly method: Method;
  readonly isOpen: boolean;
  /** The address of a cart that may be offered it, in the tester. */
  readonly test: string;
  readonly isEdited: boolean;
}

function MethodRow({ method, isOpen, test, isEdited }: MethodRowProps) {
  const { place } = useApp();
  const { currency } = useSignedIn().shop;
  const { page, parameters } = place.value;
  const { id, name, enabled, rules } = method;
  return (
    <li class={isOpen ? 'method open' : 'method'}>
      <span>
        <a
          href={linkTo(page, { ...parameters, open: id, like: '' })}
          data-row
          aria-current={isOpen ? 'true' : undefined}
        >
          {name}
        </a>
        {enabled ? null : <span class="badge">off</span>}
        {isEdited ? <span class="badge warning">not saved</span> : null}
      </span>
      <a class="test" href={test} aria-label={`Test ${name}`}>
        Test
      </a>
      <span class="description">
        {rateSummary(method, currency)}
        {rules.length === 0 ? '' : ` · ${counted(rules.length, 'rule')}`}
      </span>
    </li>
  );
}
