/** The ZIP codes of the states of the US, as patterns. */
import { stateOptions } from '../place-names.ts';

/** State, then beginnings of three digits or ranges of them, and single codes. */
const BEGINNINGS =
  'AL 350-369|AK 995-999|AZ 850-865|AR 716-729 75502|CA 900-961|CO 800-816|CT 060-069|DE 197-199|DC 200 202-205 569|' +
  'FL 320-339 341-349|GA 300-319 398-399|HI 967 968|ID 832-838|IL 600-629|IN 460-479|IA 500-528|KS 660-679|KY 400-427|' +
  'LA 700-714|ME 039-049|MD 206-219|MA 010-027 055|MI 480-499|MN 550-567|MS 386-397|MO 630-658|MT 590-599|NE 680-693|' +
  'NV 889-898|NH 030-038|NJ 070-089|NM 870-884|NY 100-149 00501 00544 06390|NC 270-289|ND 580-588|OH 430-459|' +
  'OK 730-732 734-749|OR 970-979|PA 150-196|RI 028-029|SC 290-299|SD 570-577|TN 370-385|TX 733 750-799 885|UT 840-847|' +
  'VT 050-054 056-059|VA 201 220-246|WA 980-994|WV 247-268|WI 530-549|WY 820-831 83414';

const patternOf = (part: string): string => {
  const [from = '', to] = part.split('-');
  if (to !== undefined) return `${from}00-${to}99`;
  return from.length === 5 ? from : `${from}*`;
};

export interface UsState {
  readonly code: string;
  readonly name: string;
  readonly postalCodes: string;
}

/** The 50 states and the capital. */
export function usStates(): readonly UsState[] {
  const names = new Map(stateOptions('US'));
  return BEGINNINGS.split('|').map((entry) => {
    const [code = '', ...parts] = entry.split(' ');
    const name = (names.get(code) ?? code).replace(/ \(\w+\)$/, '');
    return { code, name, postalCodes: parts.map(patternOf).join(', ') };
  });
}
