/** The subzones of a zone: name and postal patterns of each, as chips that say what they cover. */
import { Button, Menu } from '@mantine/core';
import IconPlus from '@tabler/icons-react/icons/IconPlus';
import { useContext, useMemo, useState } from 'react';
import type { Schemas } from '../../client/call-table.ts';
import { useSignedIn } from '../app-state.ts';
import { FieldErrors, fieldOf, TextField } from '../parts/field.tsx';
import { Fold } from '../parts/fold.tsx';
import { isNewId, newId } from '../parts/merged-draft.ts';
import { Notice } from '../parts/notice.tsx';
import { useMore } from '../parts/rows.tsx';
import { TextsField } from '../parts/texts-field.tsx';
import { capitalized, counted } from '../words.ts';
import { patternFault, patternsOf, patternText, splitPatterns, wholeCover } from './postal-patterns.ts';
import { type UsState, usStates } from './us-states.ts';

type Subzone = Schemas['Subzone'];

/** A zone with more subzones has a search. */
const UNSEARCHED_MAX = 50;
const PASTED_SEPARATORS = /[,;/\s]+/;

interface SubzonesFieldProps {
  readonly countries: readonly string[];
  readonly subzones: readonly Subzone[];
  readonly onSubzones: (subzones: readonly Subzone[]) => void;
}

export function SubzonesField({ countries, subzones, onSubzones }: SubzonesFieldProps) {
  const { mayWrite } = useSignedIn();
  const [find, setFind] = useState('');
  const wanted = find.trim().toLowerCase();
  const found = subzones
    .map((subzone, index) => ({ subzone, index }))
    .filter(({ subzone: { id, name } }) => isNewId(id) || name.toLowerCase().includes(wanted));
  const [shown, more] = useMore(found, undefined, ({ subzone }) => isNewId(subzone.id));
  const add = (name: string, postalCodes: string): void =>
    onSubzones([...subzones, { id: newId(), name, postalCodes }]);
  return (
    <fieldset>
      <legend>Subzones</legend>
      {subzones.length === 0 ? (
        <p className="quiet">None: all postal codes of the countries have the prices of the zone.</p>
      ) : null}
      {subzones.length > UNSEARCHED_MAX ? (
        <TextField label="Search subzones" value={find} onValue={setFind} />
      ) : null}
      <div className="stack">
        {shown.map(({ subzone, index }) => (
          <SubzoneFields
            key={subzone.id}
            countries={countries}
            subzone={subzone}
            index={index}
            onSubzone={(changed) => onSubzones(subzones.with(index, changed))}
            onRemove={() => onSubzones(subzones.toSpliced(index, 1))}
          />
        ))}
      </div>
      <div className="row wrap">
        {more}
        {mayWrite ? (
          <>
            <Button leftSection={<IconPlus size={16} />} onClick={() => add('', '')}>
              Add a subzone
            </Button>
            {countries.includes('US') ? (
              <StateMenu onState={({ name, postalCodes }) => add(name, postalCodes)} />
            ) : null}
          </>
        ) : null}
      </div>
    </fieldset>
  );
}

const StateMenu = ({ onState }: { onState: (state: UsState) => void }) => (
  <Menu position="bottom-start" width={220}>
    <Menu.Target>
      <Button>Add a US state</Button>
    </Menu.Target>
    <Menu.Dropdown mah={320} style={{ overflow: 'auto' }}>
      {usStates().map((state) => (
        <Menu.Item
          key={state.code}
          rightSection={<span className="quiet">{state.code}</span>}
          onClick={() => onState(state)}
        >
          {state.name}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);

interface SubzoneFieldsProps extends Pick<SubzonesFieldProps, 'countries'> {
  readonly subzone: Subzone;
  readonly index: number;
  readonly onSubzone: (subzone: Subzone) => void;
  readonly onRemove: () => void;
}

function SubzoneFields({ countries, subzone, index, onSubzone, onRemove }: SubzoneFieldsProps) {
  const { mayWrite } = useSignedIn();
  const path = `/subzones/${index}`;
  const field = fieldOf(subzone, (fields) => onSubzone({ ...subzone, ...fields }), path);
  const { patterns, faults } = useMemo(
    () => patternsOf(countries, subzone.postalCodes),
    [countries, subzone.postalCodes],
  );
  const whole = patterns
    .map((text) => [text, wholeCover(countries, text)] as const)
    .find(([, cover]) => cover);
  const refused = useContext(FieldErrors);
  // Those of the service stand first: they are about the whole text.
  const errors = useMemo(() => {
    const own = [...faults].map(([at, fault]) => [`${path}/postalCodes/${at}`, fault] as const);
    return new Map([...refused, ...own]);
  }, [refused, faults, path]);
  return (
    <FieldErrors.Provider value={errors}>
      <Fold
        path={path}
        isOpenAtFirst={isNewId(subzone.id)}
        summary={
          <>
            <strong>{subzone.name || 'New subzone'}</strong>{' '}
            <span className="quiet">{counted(patterns.length, 'pattern')}</span>{' '}
            {faults.size === 0 ? null : <span className="badge warning">a pattern has a fault</span>}
          </>
        }
      >
        <TextField label="Name of the subzone" {...field('name')} />
        <TextsField
          path={`${path}/postalCodes`}
          value={patterns}
          onValue={(list) => onSubzone({ ...subzone, postalCodes: list.join(', ') })}
          separators={PASTED_SEPARATORS}
          split={(text) => splitPatterns(countries, text)}
          read={(text) => (patternFault(countries, text) === null ? text : null)}
          refusalOf={(texts) =>
            texts.map((text) => capitalized(patternFault(countries, text) ?? '')).join('\n')
          }
          textOf={(text) => patternText(countries, text)}
          placeholder="97000-97999, 972*"
          hint="Codes, ranges such as 97000-97999 and beginnings such as 972*, with commas, spaces or lines between them."
        />
        {whole === undefined ? null : (
          <Notice kind="warning">
            “{whole[0]}” is {whole[1]}: only codes that another subzone names more exactly go elsewhere.
          </Notice>
        )}
        {mayWrite ? (
          <Button variant="subtle" color="gray" className="start" onClick={onRemove}>
            Remove this subzone
          </Button>
        ) : null}
      </Fold>
    </FieldErrors.Provider>
  );
}
