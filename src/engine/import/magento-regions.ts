/** Region codes of Magento, where they are not those of ISO 3166-2. */

/** Country -> Magento's code, as `folded` makes it -> ISO code without the country. */
const REGIONS: Readonly<Record<string, string>> = {
  AT: 'wi=9 no=3 oo=4 sb=5 kn=2 st=6 ti=7 bl=1 vb=8',
  DE: 'nds=NI baw=BW bay=BY ber=BE brg=BB bre=HB ham=HH hes=HE mec=MV nrw=NW rhe=RP sar=SL sas=SN sac=ST scn=SH the=TH',
  ES: 'acoruca=C acoruna=C alava=VI albacete=AB alicante=A almeria=AL asturias=O avila=AV badajoz=BA baleares=PM barcelona=B burgos=BU caceres=CC cadiz=CA cantabria=S castellon=CS ceuta=CE ciudadreal=CR cordoba=CO cuenca=CU girona=GI granada=GR guadalajara=GU guipuzcoa=SS huelva=H huesca=HU jaen=J larioja=LO laspalmas=GC leon=LE lleida=L lugo=LU madrid=M malaga=MA melilla=ML murcia=MU navarra=NA ourense=OR palencia=P pontevedra=PO salamanca=SA santacruzdetenerife=TF segovia=SG sevilla=SE soria=SO tarragona=T teruel=TE toledo=TO valencia=V valladolid=VA vizcaya=BI zamora=ZA zaragoza=Z',
  FI: 'lappi=10 pohjoispohjanmaa=14 kainuu=05 pohjoiskarjala=13 pohjoissavo=15 etelasavo=04 etelapohjanmaa=03 pohjanmaa=12 pirkanmaa=11 satakunta=17 keskipohjanmaa=07 keskisuomi=08 varsinaissuomi=19 etelakarjala=02 paijathame=16 kantahame=06 uusimaa=18 kymenlaakso=09 ahvenanmaa=01',
};

const BY_COUNTRY: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(REGIONS).map(([country, pairs]) => [
    country,
    new Map(pairs.split(' ').map((pair) => pair.split('=') as [string, string])),
  ]),
);

/** Lower-case letters and digits without accents. Magento writes one letter of A Coruña in Cyrillic. */
const folded = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('с', 'c')
    .normalize('NFD')
    .replace(/[^a-z0-9]+/g, '');

/** The ISO code of a region of Magento; the text itself where both use the same codes; null for an unknown region. */
export function regionOf(country: string, text: string): string | null {
  const bare = text.startsWith(`${country}-`) ? text.slice(country.length + 1) : text;
  if (country === 'FR' && /^\d$/.test(bare)) return `0${bare}`;
  const codes = BY_COUNTRY.get(country);
  if (codes === undefined) return bare;
  const code = codes.get(folded(bare));
  if (code !== undefined) return code;
  return [...codes.values()].includes(bare.toUpperCase()) ? bare : null;
}
