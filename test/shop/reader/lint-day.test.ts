/** Findings on what is past follow the clock, not the last write: the forgotten shop is the one that they are for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../../../src/engine/change/command.ts';
import type { ConfigData } from '../../../src/engine/wire/write-bodies.ts';
import { accepted, openShop, request } from '../actor/shop-stage.ts';

const holidaysAfter: Command = {
  kind: 'updateShop',
  body: { timezone: 'America/Los_Angeles', fulfilment: { holidays: ['2026-01-01', '2026-12-25'] } },
};
const data: ConfigData = {
  zones: [{ id: 'zone_us', name: 'US', countries: ['US'] }],
  methods: [
    {
      id: 'method_a',
      name: 'A',
      zoneId: 'zone_us',
      rateType: 'flat',
      config: { price: 500 },
      delivery: { minDays: 1, maxDays: 2 },
    },
  ],
};

test('holidays are past once their last day is over in the time zone of the shop, without a write', async () => {
  const { shop } = await openShop();
  accepted(await shop.write(request({ kind: 'executeConfig', data })));
  accepted(await shop.write(request(holidaysAfter)));
  const findings = (now: string) => {
    const report = shop.lint('live', Date.parse(now));
    const previewed = shop.preview({ data }, { now, seed: 'seed' });
    assert.ok(report.ok && previewed.ok);
    const { findings } = report.value;
    return [findings, previewed.value.warnings].map((found) =>
      found.map(({ code }) => code).filter((code) => code === 'holidays_past'),
    );
  };
  assert.deepEqual(findings('2026-06-01T00:00:00Z'), [[], []]);
  assert.deepEqual(findings('2026-12-26T07:59:59Z'), [[], []]);
  assert.deepEqual(findings('2026-12-26T08:00:00Z'), [['holidays_past'], ['holidays_past']]);
});
