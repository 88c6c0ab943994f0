/**
 * Changes as the operation log keeps them: what was changed and what it is called can be read and searched, the values before and after
 * are sealed. What lists and erasure ask of the values stands beside them as marks.
 */
import type { MaskKind } from '@gatehouse/contract/masking'
import type { FieldChange } from './marks.ts'
import type { Crypto } from '../encryption/crypto.ts'
import { placeOf, type Place } from '../encryption/sealed-column.ts'

/** What became of a thing; `touched` where no fields were given. */
export type ChangeKind = 'created' | 'changed' | 'deleted' | 'touched'

interface Named {
  entity: string
  id: string
  label?: string
  labelMask?: MaskKind
  kind?: ChangeKind
}

/** A change with its values in clear. */
export interface ToldChange extends Named {
  /** It is about somebody who was on the watch list when they were deleted. */
  watched?: true
  fields: FieldChange[]
}

/** A change as it stands in an entry. */
export interface StoredChange extends Named {
  /** It is about somebody who is or was on the watch list; it is shown to nobody for whom the watch list does not exist. */
  watched?: true
  /** It tells somebody's name or personal values. */
  personal?: true
  /** The fields as JSON, sealed, in base64; absent where there are none. */
  sealed?: string
}

/** A change of an entry that was opened. */
export interface OpenedChange extends Omit<StoredChange, 'sealed'> {
  fields: FieldChange[]
  /** Its values were not sealed for this change of this entry: somebody moved or wrote them by hand. */
  unreadable?: true
}

/** An entry grows while several transactions write to it: a change is told from others by what it is about, not by its position. */
const placeIn = (entryId: string, { entity, id }: Named): Place =>
  placeOf({ table: 'operation_log', column: 'changes' }, entryId, entity, id)

/** The value of the field `kind` of persons on the watch list. */
const WATCHED = 'special'
const tellsOfWatchList = ({ field, before, after }: FieldChange): boolean => field === 'kind' && (before === WATCHED || after === WATCHED)

/** Seal the values of a change. @param entryId of the entry it is to stand in */
export async function sealChange(
  crypto: Pick<Crypto, 'seal'>,
  parkId: string,
  entryId: string,
  { fields, watched, ...named }: ToldChange,
): Promise<StoredChange> {
  const isPersonal = named.labelMask !== undefined || fields.some(({ mask }) => mask !== undefined)
  return {
    ...named,
    ...((watched === true || fields.some(tellsOfWatchList)) && { watched: true }),
    ...(isPersonal && { personal: true }),
    ...(fields.length > 0 && {
      sealed: (await crypto.seal(parkId, placeIn(entryId, named), Buffer.from(JSON.stringify(fields)))).toString('base64'),
    }),
  }
}

/** Open the changes of an entry; one whose values cannot be opened says so, and the others are there. */
export async function openChanges(
  crypto: Pick<Crypto, 'reader'>,
  parkId: string,
  entryId: string,
  changes: readonly StoredChange[],
): Promise<OpenedChange[]> {
  const read = await crypto.reader(parkId)
  return changes.map(({ sealed, ...change }) => {
    if (sealed === undefined) return { ...change, fields: [] }
    const opened = read(placeIn(entryId, change), Buffer.from(sealed, 'base64'))
    if (opened === null) return { ...change, fields: [], unreadable: true }
    return { ...change, fields: JSON.parse(opened.toString('utf8')) as FieldChange[] }
  })
}
