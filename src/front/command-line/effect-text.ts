/** What a change would change for carts, for a person. */
import type { Effects } from '../../engine/wire/effects.ts';
import { ratesText } from './check-text.ts';
import { witnessText } from './finding-text.ts';
import { counted } from './terminal.ts';

/** Samples that are printed. */
const SAMPLES_SHOWN_MAX = 5;

/** The counts, then the smallest cart of each of the first distinct changes of rates. */
export function effectLines({ probes, changed, lost, gained, samples, limited }: Effects): string[] {
  const of = limited ? `the first ${counted(probes, 'probe cart')}` : counted(probes, 'probe cart');
  if (changed === 0) return [`no cart of ${of} would get other rates`];
  const shown = samples.slice(0, SAMPLES_SHOWN_MAX);
  const more = samples.length - shown.length;
  return [
    `${changed} of ${of} would get other rates: ${lost} would lose all, ${gained} would gain some`,
    ...shown.flatMap(({ request, at, before, after }) => [
      `  ${witnessText({ request, at })}`,
      `    ${ratesText(before, 'no rate')} -> ${ratesText(after, 'no rate')}`,
    ]),
    ...(more > 0 ? [`  ... and ${counted(more, 'more kind')} of change`] : []),
  ];
}
