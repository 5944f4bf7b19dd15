/** Postal look-ups: a code among 10 to 1,000,000 patterns, alone and as a simulation does it. */
import { compileShop } from '../../src/engine/compile/compiled-shop.ts';
import { postalOwnersOf } from '../../src/engine/compile/postal-owners.ts';
import { canonicalPostalCode } from '../../src/engine/domain/postal-code.ts';
import type { Part } from '../part.ts';
import { makePostalZone } from '../profiles/postal.ts';
import { SETTINGS } from '../profiles/profile.ts';
import { shopOf } from '../profiles/six-methods.ts';
import { pairedRatios } from '../report/statistics.ts';
import { type MicroTask, measureTasks } from './micro-bench.ts';

const FORM = 'plain';

export const postalOwnersId = (what: 'find' | 'match', patterns: number): string =>
  `micro/postal-owners/${what}/${patterns}`;

function makeTasks(patterns: number): readonly MicroTask[] {
  const { zone, codes } = makePostalZone(patterns);
  const owners = postalOwnersOf(zone.subzones, FORM);
  const canonical = codes.map((code) => canonicalPostalCode(FORM, code));
  const compiled = compileShop(shopOf({ rulesOf: () => 0, home: zone }), SETTINGS).zoneOf('JP');
  if (compiled === null) throw new Error('the postal zone has no country');
  const match = (code: string) => compiled.match(FORM, code);
  const name = patterns.toLocaleString('en-US');
  let at = 0;
  return [
    {
      id: postalOwnersId('find', patterns),
      label: `canonical code among ${name} patterns`,
      run(count) {
        let found = 0;
        for (let i = 0; i < count; i++) found += owners.find(canonical[at++ % canonical.length] as string);
        return found;
      },
    },
    {
      id: postalOwnersId('match', patterns),
      label: `code as written to plan, ${name} patterns`,
      run(count) {
        let length = 0;
        for (let i = 0; i < count; i++)
          length += match(codes[at++ % codes.length] as string).postalCode.length;
        return length;
      },
    },
  ];
}

export const postalOwnersPart: Part = {
  id: 'micro/postal-owners',
  title: 'Postal code to subzone, 5,000 codes in turn, half of them listed',
  async run(part) {
    const tasks: MicroTask[] = [];
    for (const patterns of part.effort.postalPatterns) {
      part.step(`building ${patterns} patterns`);
      tasks.push(...makeTasks(patterns));
    }
    const rounds = measureTasks(part, tasks);
    const [fewest = 0, ...more] = part.effort.postalPatterns;
    const most = more.at(-1) ?? fewest;
    for (const what of ['find', 'match'] as const) {
      part.record({
        id: `${postalOwnersId(what, most)}/against/${fewest}`,
        label: `... ${what}, ${most.toLocaleString('en-US')} against ${fewest}, round by round`,
        unit: 'ratio',
        samples: pairedRatios(
          rounds.samplesOf(postalOwnersId(what, most)),
          rounds.samplesOf(postalOwnersId(what, fewest)),
        ),
      });
    }
  },
};
