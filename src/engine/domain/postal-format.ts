/**
 * How countries write their postal codes, for findings on patterns that no code can match. From the postal codes of
 * Google's libaddressinput (countryinfo.txt; the data behind Android's address forms), as templates, with the newer codes
 * of Ireland, Korea and Taiwan. Countries whose codes are optional or disputed are left out: any pattern may match there.
 */
import type { PostalPattern, PostalRange } from './postal-code.ts';

/**
 * Countries -> templates of their codes in canonical form. `#` is a digit, `@` a letter, `?` either of them; any other
 * character is itself. Before the space of a British code stands the outward part, which may stand alone.
 */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  'BA CU DE DO DZ EE EG ES FI FR GR GT HR ID IT JO KE KR LA LK MA MM MX MY NP PK PL SE SK CZ TH TR UA US UY XK':
    ['#####'],
  'AL AT AU BD BE BG CH CK CV CY DK ET GE GW HU LR MK MZ NO NZ PH PY SI SJ TN VE ZA': ['####'],
  'BY CN CO IN KG KZ RO RU SG TJ TM UZ': ['######'],
  'FO GN IS LS MG PG': ['###'],
  'RS VN': ['#####', '######'],
  'IL SA': ['#####', '#######', '#########'],
  TW: ['###', '#####', '######'],
  BR: ['########'],
  LB: ['####', '########'],
  'CL JP PT': ['#######'],
  IR: ['##########'],
  LT: ['#####', 'LT#####'],
  LV: ['####', 'LV####'],
  LU: ['####', 'L####'],
  MD: ['####', 'MD####'],
  AZ: ['####', 'AZ####'],
  NL: ['####', '####@@'],
  AR: ['####', '@####@@@'],
  CA: ['@#@', '@#@#@#'],
  IE: ['@#?????'],
  MT: ['@@@##', '@@@###', '@@@####'],
  AD: ['AD###'],
  GI: ['GX111AA'],
  LI: ['94##'],
  MC: ['980##'],
  ME: ['8####'],
  SM: ['4789#'],
  VA: ['00120'],
  GL: ['39##'],
  AX: ['22###'],
  'BL GP MF': ['971##', '977##', '978##'],
  GF: ['973##'],
  MQ: ['972##'],
  RE: ['974##'],
  PM: ['975##'],
  YT: ['976##'],
  WF: ['986##'],
  PF: ['987##'],
  NC: ['988##'],
  PR: ['006##', '007##', '009##'],
  VI: ['008##'],
  GU: ['969##'],
  AS: ['96799'],
  'FM MH MP PW': ['969##'],
  GB: [...british('@'), ...british('@@'), 'GIR 0AA', 'BF PO#', 'BFP O##', 'BFPO ###', 'BFPO####'],
  GG: british('GY'),
  JE: british('JE'),
  IM: british('IM'),
};

function british(area: string): string[] {
  return ['#', '##', '#@'].flatMap((district) => [`${area}${district} `, `${area}${district} #@@`]);
}

const FORMATS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(TEMPLATES).flatMap(([countries, templates]) =>
    countries.split(' ').map((country) => [country, templates] as const),
  ),
);

/** How the country writes its codes; null where that is not known. */
export type PostalFormat = readonly string[] | null;
export const postalFormatOf = (country: string): PostalFormat => FORMATS.get(country) ?? null;

/** False only when no code of the format matches a pattern in canonical form. */
export function formatMayMatch(format: PostalFormat, pattern: PostalPattern): boolean {
  return format === null || format.some((template) => templateMayMatch(template, pattern));
}

function templateMayMatch(template: string, pattern: PostalPattern): boolean {
  switch (pattern.kind) {
    case 'exact':
      return template.length === pattern.code.length && fits(template, pattern.code);
    case 'prefix':
      return fits(template, pattern.prefix);
    case 'range':
      return template.length === pattern.from.length && hasDigitsBetween(template, pattern);
    case 'beginnings':
      return hasDigitsBetween(template.slice(0, pattern.from.length), pattern);
    case 'districts': {
      const [from, to] = [Number(pattern.from), Number(pattern.to)];
      const outward = Array.from({ length: to - from + 1 }, (_, at) => `${pattern.area}${from + at} `);
      return outward.some((part) => fits(template, part));
    }
  }
}

/** True when a code of the template begins with the text. */
const fits = (template: string, text: string): boolean =>
  text.length <= template.length && [...text].every((character, at) => isOf(template.charAt(at), character));

function isOf(place: string, character: string): boolean {
  const isDigit = character >= '0' && character <= '9';
  const isLetter = character >= 'A' && character <= 'Z';
  if (place === '#') return isDigit;
  if (place === '@') return isLetter;
  return place === '?' ? isDigit || isLetter : place === character;
}

/** True when digits that fit the template, whose own ones stand first, lie in the range. */
function hasDigitsBetween(template: string, { from, to }: PostalRange): boolean {
  const [low, high] = ['0', '9'].map((digit) => template.replace(/[#?]/g, digit)) as [string, string];
  return /^[0-9]+$/.test(low) && low <= to && from <= high;
}
