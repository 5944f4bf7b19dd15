/** Names of countries in source files: codes of two and of three letters, and continents. */
import { ISO_COUNTRIES } from '../domain/country.ts';

const BY_THREE_LETTERS: ReadonlyMap<string, string> = new Map(
  [...ISO_COUNTRIES].map(([two, three]) => [three, two]),
);

/** The code of two letters for either form; null for an unknown code. Case does not matter. */
export function twoLetterCode(text: string): string | null {
  const code = text.trim().toUpperCase();
  return ISO_COUNTRIES.has(code) ? code : (BY_THREE_LETTERS.get(code) ?? null);
}

/** Continents as WooCommerce divides them, without the country code AN, which no longer exists; Cyprus is in two. */
const CONTINENTS: Readonly<Record<string, string>> = {
  AF: 'AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW',
  AN: 'AQ BV GS HM TF',
  AS: 'AE AF AM AZ BD BH BN BT CC CN CX CY GE HK ID IL IN IO IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP OM PH PK PS QA SA SG SY TH TJ TL TM TW UZ VN YE',
  EU: 'AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SJ SK SM TR UA VA XK',
  NA: 'AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ MS MX NI PA PM PR SV SX TC TT US VC VG VI',
  OC: 'AS AU CK FJ FM GU KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TO TV UM VU WF WS',
  SA: 'AR BO BR CL CO EC FK GF GY PE PY SR UY VE',
};

/** The countries of a continent by its code of two letters; null for an unknown code. */
export const countriesOfContinent = (code: string): readonly string[] | null =>
  Object.hasOwn(CONTINENTS, code) ? (CONTINENTS[code] ?? '').split(' ') : null;
