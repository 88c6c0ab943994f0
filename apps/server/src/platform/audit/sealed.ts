/**
 * Changes as the operation log stores them: what was changed and its label can be read and searched; the values before and after are
 * sealed. Properties of the values that lists and erasure need are stored beside them as marks.
 */
import type { MaskKind } from '@gatehouse/contract/masking'
import type { FieldChange } from './marks.ts'
import type { Crypto } from '../encryption/crypto.ts'
import { placeOf, type Place } from '../encryption/sealed-column.ts'

/** The kind of a change; `touched` where no fields are known. */
export type ChangeKind = 'created' | 'changed' | 'deleted' | 'touched'

interface Named {
  entity: string
  id: string
  label?: string
  labelMask?: MaskKind
  kind?: ChangeKind
}

/** A change with its values in clear. */
export interface ClearChange extends Named {
  /** The change is about a person who was on the watch list when they were deleted. */
  watched?: true
  fields: FieldChange[]
}

/** A change as stored in an entry. */
export interface StoredChange extends Named {
  /** The change is about a person who is or was on the watch list; it is hidden from callers for whom the watch list does not exist. */
  watched?: true
  /** The change contains a person's name or personal values. */
  personal?: true
  /** The fields as JSON, sealed, in base64; absent where there are none. */
  sealed?: string
}

/** A change of an entry with its values opened. */
export interface OpenedChange extends Omit<StoredChange, 'sealed'> {
  fields: FieldChange[]
  /** Its values were not sealed for this change of this entry: the row was edited by hand. */
  unreadable?: true
}

/**
 * Return the place of a change's values. Several transactions may append to an entry, so a change is identified by its subject, not by
 * its position.
 */
const placeIn = (entryId: string, { entity, id }: Named): Place =>
  placeOf({ table: 'operation_log', column: 'changes' }, entryId, entity, id)

/** The value of the field `kind` of persons on the watch list. */
const WATCHED = 'special'
const isOfWatchList = ({ field, before, after }: FieldChange): boolean => field === 'kind' && (before === WATCHED || after === WATCHED)

/** Seal the values of a change. @param entryId of the entry that will contain it */
export async function sealChange(
  crypto: Pick<Crypto, 'seal'>,
  parkId: string,
  entryId: string,
  { fields, watched, ...named }: ClearChange,
): Promise<StoredChange> {
  const isPersonal = named.labelMask !== undefined || fields.some(({ mask }) => mask !== undefined)
  return {
    ...named,
    ...((watched === true || fields.some(isOfWatchList)) && { watched: true }),
    ...(isPersonal && { personal: true }),
    ...(fields.length > 0 && {
      sealed: (await crypto.seal(parkId, placeIn(entryId, named), Buffer.from(JSON.stringify(fields)))).toString('base64'),
    }),
  }
}

/** Open the changes of an entry; a change whose values cannot be opened is marked, and the others are returned in full. */
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
