/** The plan of the shop: each limit and how much of it is used. */
import type { Schemas } from '../../client/call-table.ts';
import type { Shop } from '../service.ts';

type Limit = keyof Schemas['PlanLimits'];

const LIMITS: Readonly<Record<Limit, string>> = {
  methods: 'Methods',
  groups: 'Product groups',
  zones: 'Zones',
  blendedRates: 'Blended rates',
  rulesPerMethod: 'Rules of one method',
  checks: 'Checks',
  keys: 'Keys',
  requestsPerMinute: 'Requests per minute, this key',
  simulationsPerSecond: 'Carts per second',
  historyDays: 'Days of history',
};

export function PlanTable({ shop: { plan, limits, usage } }: { readonly shop: Shop }) {
  return (
    <section class="panel stack" aria-label="Plan">
      <h2>
        Plan <span class="badge">{plan}</span>
      </h2>
      {limits === null ? <p>The operator has removed this plan.</p> : null}
      <table>
        <thead>
          <tr>
            <th scope="col">Limit</th>
            <th scope="col" class="amount">
              Used
            </th>
            <th scope="col" class="amount">
              Of
            </th>
          </tr>
        </thead>
        <tbody>
          {(Object.keys(LIMITS) as Limit[]).map((name) => {
            const used = { ...usage, ...usage.staged }[name];
            const limit = limits?.[name] ?? null;
            // History grows up to its limit and then loses its oldest versions: that is not a full plan.
            const isFull = limit !== null && used !== null && used >= limit && name !== 'historyDays';
            return (
              <tr key={name}>
                <th scope="row">
                  {LIMITS[name]} {isFull ? <span class="badge warning">full</span> : null}
                </th>
                <td class="amount">{used === null ? 'not counted' : used.toLocaleString()}</td>
                <td class="amount">{limit === null ? 'unlimited' : limit.toLocaleString()}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {usage.staged === undefined ? null : (
        <p class="quiet">Records are counted as the changeset has them.</p>
      )}
    </section>
  );
}
