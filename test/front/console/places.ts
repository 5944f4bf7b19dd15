/** A place of each page of the console at which it has something to show. */
import { demoCart, place } from '../../support/console-in-browser.ts';

export type Place = readonly [fragment: string, shown: string];

/** Page -> where it has something to show, and a text that is there once it does. */
export const PLACES: Readonly<Record<string, Place>> = {
  tester: [
    place('tester', {
      cart: demoCart('us-po-box'),
      open: 'method_us_expedited',
      changes: 'shown',
      columns: 'live,1,2',
      ...{ curve: 'cart_total', upto: '30000' },
    }),
    'versions evaluated',
  ],
  overview: ['#/overview', 'Open a cart that shows it'],
  map: ['#/map', 'Country or zone'],
  methods: [
    place('methods', { open: 'method_us_standard', cart: demoCart('us-po-box') }),
    'Open in the rate tester',
  ],
  changeset: ['#/changeset', 'Open a draft'],
  zones: ['#/zones?open=zone_us', 'Try a postal code'],
  import: ['#/import', 'Download the live configuration'],
  settings: ['#/settings', 'Revoke…'],
  groups: ['#/groups?open=group_oversized', 'Commas, semicolons or lines'],
  checks: ['#/checks?open=check_uk_highlands', 'passed, '],
  blends: ['#/blends?open=blended_us_standard', 'The price is the sum over the groups'],
  history: [place('history', { from: '1', to: 'live' }), 'Product group'],
};
