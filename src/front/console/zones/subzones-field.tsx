/** The subzones of a zone: name and postal patterns of each. Patterns are checked as they are typed. */
import { useMemo, useState } from 'preact/hooks';
import type { Schemas } from '../../client/call-table.ts';
import { fieldOf, TextField } from '../parts/field.tsx';
import { Fold } from '../parts/fold.tsx';
import { useMore } from '../parts/long-list.tsx';
import { isNewId, newId } from '../parts/merged-draft.ts';
import { ParsedField } from '../parts/parsed-field.tsx';
import { counted } from '../words.ts';
import { patternsOf } from './postal-trial.ts';

type Subzone = Schemas['Subzone'];

/** A zone with more subzones has a search. */
const UNSEARCHED_MAX = 50;

interface SubzonesFieldProps {
  readonly subzones: readonly Subzone[];
  readonly onSubzones: (subzones: readonly Subzone[]) => void;
}

export function SubzonesField({ subzones, onSubzones }: SubzonesFieldProps) {
  const [find, setFind] = useState('');
  const wanted = find.trim().toLowerCase();
  const found = subzones
    .map((subzone, index) => ({ subzone, index }))
    .filter(({ subzone: { id, name } }) => isNewId(id) || name.toLowerCase().includes(wanted));
  const [shown, more] = useMore(found, undefined, ({ subzone }) => isNewId(subzone.id));
  return (
    <fieldset>
      <legend>Subzones</legend>
      {subzones.length === 0 ? (
        <p class="quiet">None: all postal codes of the countries have the prices of the zone.</p>
      ) : null}
      {subzones.length > UNSEARCHED_MAX ? (
        <TextField label="Search subzones" value={find} onValue={setFind} />
      ) : null}
      <div class="stack">
        {shown.map(({ subzone, index }) => (
          <SubzoneFields
            key={subzone.id}
            subzone={subzone}
            index={index}
            onSubzone={(changed) => onSubzones(subzones.with(index, changed))}
            onRemove={() => onSubzones(subzones.toSpliced(index, 1))}
          />
        ))}
      </div>
      <div class="row wrap">
        {more}
        <button
          type="button"
          onClick={() => onSubzones([...subzones, { id: newId(), name: '', postalCodes: '' }])}
        >
          Add a subzone
        </button>
      </div>
    </fieldset>
  );
}

interface SubzoneFieldsProps {
  readonly subzone: Subzone;
  readonly index: number;
  readonly onSubzone: (subzone: Subzone) => void;
  readonly onRemove: () => void;
}

function SubzoneFields({ subzone, index, onSubzone, onRemove }: SubzoneFieldsProps) {
  const path = `/subzones/${index}`;
  const field = fieldOf(subzone, (fields) => onSubzone({ ...subzone, ...fields }), path);
  const { count, fault } = useMemo(() => patternsOf(subzone), [subzone.postalCodes]);
  return (
    <Fold
      path={path}
      isOpenAtFirst={isNewId(subzone.id)}
      summary={
        <>
          <strong>{subzone.name || 'New subzone'}</strong>{' '}
          <span class="quiet">{counted(count, 'pattern')}</span>{' '}
          {fault === null ? null : <span class="badge warning">a pattern has a fault</span>}
        </>
      }
    >
      <TextField label="Name of the subzone" {...field('name')} />
      <ParsedField
        {...field('postalCodes')}
        hint={
          fault ??
          'Codes, ranges such as 97000-97999 and prefixes such as 972*; commas or lines between them.'
        }
        lines={4}
        format={(text) => text}
        parse={(text) => text.trim().replace(/\s*[\n\t,]\s*/g, ', ')}
      />
      <button type="button" class="plain start" onClick={onRemove}>
        Remove this subzone
      </button>
    </Fold>
  );
}
