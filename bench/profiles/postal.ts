/**
 * *postal*: a zone whose subzones list up to a million patterns of seven-digit codes: six in ten exact, three
 * in ten prefixes, one in ten ranges. Half of the carts go to a listed place.
 */
import type { Subzone, Zone } from '../../src/engine/domain/zone.ts';
import { makeRequests } from './cart-maker.ts';
import type { Profile } from './profile.ts';
import { SeededRandom } from './seeded-random.ts';
import { HOME_ZONE_ID, shopOf } from './six-methods.ts';

const CODE_DIGITS = 7;
const PATTERNS_PER_SUBZONE = 1_000;
/** A country whose codes have seven digits. */
const COUNTRY = 'JP';

interface Pattern {
  readonly text: string;
  /** A code that the pattern lists. */
  readonly code: string;
}

function makePattern(random: SeededRandom): Pattern {
  const code = random.digits(CODE_DIGITS);
  const kind = random.next();
  if (kind < 0.6) return { text: code, code };
  if (kind < 0.9) return { text: `${code.slice(0, random.between(3, 6))}*`, code };
  const from = Number(code.slice(-2));
  const to = random.between(from, 99);
  return { text: `${code}-${code.slice(0, -2)}${String(to).padStart(2, '0')}`, code };
}

interface PostalPlan {
  readonly zone: Zone;
  /** Codes as people write them, `123-4567`; every other one is listed by a pattern. */
  readonly codes: readonly string[];
}

export function makePostalZone(patterns: number, codeCount = 5_000): PostalPlan {
  const random = new SeededRandom(4);
  const subzones: Subzone[] = [];
  const listed: string[] = [];
  for (let made = 0; made < patterns; made += PATTERNS_PER_SUBZONE) {
    const texts: string[] = [];
    for (let i = made; i < Math.min(patterns, made + PATTERNS_PER_SUBZONE); i++) {
      const { text, code } = makePattern(random);
      texts.push(text);
      if (listed.length < codeCount || random.chance(codeCount / (i + 1))) {
        if (listed.length < codeCount) listed.push(code);
        else listed[random.between(0, codeCount - 1)] = code;
      }
    }
    subzones.push({
      id: `sub_${subzones.length}`,
      name: `Area ${subzones.length}`,
      postalCodes: texts.join(', '),
    });
  }
  const codes = Array.from({ length: codeCount }, (_, i) => {
    const code = i % 2 === 0 ? random.pick(listed) : random.digits(CODE_DIGITS);
    return `${code.slice(0, 3)}-${code.slice(3)}`;
  });
  return { zone: { id: HOME_ZONE_ID, name: 'Japan', countries: [COUNTRY], subzones }, codes };
}

export function makePostal(patterns: number): Profile {
  const { zone, codes } = makePostalZone(patterns);
  const random = new SeededRandom(5);
  return {
    name: 'postal',
    description: `${patterns.toLocaleString('en-US')} postal patterns, 6 methods x 1 rule, 3 items`,
    settings: { currency: 'USD', timezone: 'Asia/Tokyo' },
    config: shopOf({ rulesOf: () => 1, home: zone }),
    requests: makeRequests(random, {
      items: 3,
      destination: (from) => ({ country: COUNTRY, postalCode: from.pick(codes) }),
    }),
  };
}
