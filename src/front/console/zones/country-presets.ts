/** Countries that are often meant together, and which zone gets a country that several list. */
import { ISO_COUNTRIES } from '../../../engine/domain/country.ts';
import { ANY_COUNTRY } from '../place-names.ts';

const codes = (text: string): readonly string[] => text.split(' ');

export const EU = codes('AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK');
export const EEA = [...EU, 'IS', 'LI', 'NO'];

/** Each country in one, but for Antarctica; Cyprus stands with the union that it belongs to. */
export const CONTINENTS: Readonly<Record<string, readonly string[]>> = {
  Europe: codes(
    'AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SJ SK SM UA VA XK',
  ),
  'North America': codes(
    'AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ MS MX NI PA PM PR SV SX TC TT US VC VG VI',
  ),
  'South America': codes('AR BO BR BV CL CO EC FK GF GS GY PE PY SR UY VE'),
  Asia: codes(
    'AE AF AM AZ BD BH BN BT CN GE HK ID IL IN IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP OM PH PK PS QA SA SG SY TH TJ TL TM TR TW UZ VN YE',
  ),
  Africa: codes(
    'AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW IO KE KM LR LS LY MA MG ML MR MU MW MZ NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TF TG TN TZ UG YT ZA ZM ZW',
  ),
  Oceania: codes('AS AU CC CK CX FJ FM GU HM KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TO TV UM VU WF WS'),
};

/** Land borders: a country, then those of its neighbours that come after it in the alphabet. */
const BORDERS =
  'AD:ES,FR AE:OM,SA AF:CN,IR,PK,TJ,TM,UZ AL:GR,ME,MK,XK AM:AZ,GE,IR,TR AO:CD,CG,NA,ZM AR:BO,BR,CL,PY,UY ' +
  'AT:CH,CZ,DE,HU,IT,LI,SI,SK AZ:GE,IR,RU,TR BA:HR,ME,RS BD:IN,MM BE:DE,FR,LU,NL BF:BJ,CI,GH,ML,NE,TG ' +
  'BG:GR,MK,RO,RS,TR BI:CD,RW,TZ BJ:NE,NG,TG BN:MY BO:BR,CL,PE,PY BR:CO,GF,GY,PE,PY,SR,UY,VE BT:CN,IN ' +
  'BW:NA,ZA,ZM,ZW BY:LT,LV,PL,RU,UA BZ:GT,MX CA:US CD:CF,CG,RW,SS,TZ,UG,ZM CF:CG,CM,SD,SS,TD CG:CM,GA ' +
  'CH:DE,FR,IT,LI CI:GH,GN,LR,ML CL:PE CM:GA,GQ,NG,TD CN:HK,IN,KG,KP,KZ,LA,MM,MN,MO,NP,PK,RU,TJ,VN ' +
  'CO:EC,PA,PE,VE CR:NI,PA CZ:DE,PL,SK DE:DK,FR,LU,NL,PL DJ:ER,ET,SO DO:HT DZ:EH,LY,MA,ML,MR,NE,TN EC:PE ' +
  'EE:LV,RU EG:IL,LY,PS,SD EH:MA,MR ER:ET,SD ES:FR,GI,MA,PT ET:KE,SD,SO,SS FI:NO,RU,SE FR:IT,LU,MC GA:GQ ' +
  'GB:IE GE:RU,TR GF:SR GH:TG GM:SN GN:GW,LR,ML,SL,SN GR:MK,TR GT:HN,MX,SV GW:SN GY:SR,VE HN:NI,SV ' +
  'HR:HU,ME,RS,SI HU:RO,RS,SI,SK,UA ID:MY,PG,TL IL:JO,LB,PS,SY IN:MM,NP,PK IQ:IR,JO,KW,SA,SY,TR IR:PK,TM,TR ' +
  'IT:SI,SM,VA JO:PS,SA,SY KE:SO,SS,TZ,UG KG:KZ,TJ,UZ KH:LA,TH,VN KP:KR,RU KW:SA KZ:RU,TM,UZ LA:MM,TH,VN LB:SY ' +
  'LR:SL LS:ZA LT:LV,PL,RU LV:RU LY:NE,SD,TD,TN MD:RO,UA ME:RS,XK MF:SX MK:RS,XK ML:MR,NE,SN MM:TH MN:RU MR:SN ' +
  'MW:MZ,TZ,ZM MX:US MY:TH MZ:SZ,TZ,ZA,ZM,ZW NA:ZA,ZM NE:NG,TD NG:TD NO:RU,SE OM:SA,YE PL:RU,SK,UA QA:SA RO:RS,UA ' +
  'RS:XK RU:UA RW:TZ,UG SA:YE SD:SS,TD SK:UA SS:UG SY:TR SZ:ZA TJ:UZ TM:UZ TZ:UG,ZM ZA:ZW ZM:ZW';

/** The countries with a land border to this one. */
export function neighboursOf(country: string): readonly string[] {
  const found = BORDERS.split(' ').flatMap((entry) => {
    const [from = '', to = ''] = entry.split(':');
    if (from === country) return to.split(',');
    return to.split(',').includes(country) ? [from] : [];
  });
  return found.sort();
}

export interface CountryPreset {
  readonly name: string;
  readonly countries: readonly string[];
}

/** `home` is the merchant's own country, where it is known; `nameOf` says how people call it. */
export function countryPresets(
  home: string | null,
  nameOf: (country: string) => string,
): readonly CountryPreset[] {
  const neighbours = home === null ? [] : neighboursOf(home);
  const presets = [
    { name: 'European Union', countries: EU },
    {
      name: `European Union without ${nameOf(home ?? '')}`,
      countries: EU.includes(home ?? '') ? EU.filter((code) => code !== home) : [],
    },
    { name: 'European Economic Area', countries: EEA },
    { name: `Neighbours of ${nameOf(home ?? '')}`, countries: neighbours },
    ...Object.entries(CONTINENTS).map(([name, countries]) => ({ name, countries })),
    { name: nameOf(ANY_COUNTRY), countries: [ANY_COUNTRY] },
  ];
  return presets.filter(({ countries }) => countries.length > 0);
}

interface Countries {
  readonly countries: readonly string[];
}

/** The country of the merchant: the only one of this zone, else of the first zone with one, else that of the language. */
export function homeCountry(
  own: readonly string[],
  zones: readonly Countries[],
  language: string,
): string | null {
  const alone = [own, ...zones.map(({ countries }) => countries)].find(
    (countries) => countries.length === 1 && countries[0] !== ANY_COUNTRY,
  );
  // Some browsers name a language that `Intl.Locale` refuses, such as `en-US@posix`.
  const region = /-([A-Z]{2})\b/.exec(language)?.[1] ?? '';
  return alone?.[0] ?? (ISO_COUNTRIES.has(region) ? region : null);
}

export interface Taken<Z> {
  readonly zone: Z;
  readonly countries: readonly string[];
}

/** The countries that a zone lists in vain, by the earlier zone that gets them: the first that lists a country has it. */
export function takenEarlier<Z extends Countries>(
  countries: readonly string[],
  earlier: readonly Z[],
): readonly Taken<Z>[] {
  const left = new Set(countries);
  return earlier.flatMap((zone) => {
    const taken = zone.countries.filter((code) => left.delete(code));
    return taken.length === 0 ? [] : [{ zone, countries: taken }];
  });
}

/** The countries from which no cart reaches a zone. */
export function unreachedCountries(zones: readonly Countries[]): readonly string[] {
  const listed = new Set(zones.flatMap(({ countries }) => countries));
  return listed.has(ANY_COUNTRY) ? [] : [...ISO_COUNTRIES.keys()].filter((code) => !listed.has(code));
}
