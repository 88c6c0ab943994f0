/** Removes a person from the database, in one transaction. */
import type { Erasure } from '@gatehouse/contract/privacy/calls'
import type { LeavingPerson, Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { ErasedPerson } from '../people/index.ts'
import type { StoringDevice } from '../records/index.ts'
import * as data from './data.ts'
import type { ErasureNeeds } from './erasure-types.ts'

/** Devices that store a person, and those that may keep records of them. */
export interface StoringDevices {
  holding: readonly StoringDevice[]
  keeping: readonly StoringDevice[]
}

export type PlaceName = Erasure['places'][number]['place']

export function createRemoval(platform: Platform, { people, persons, faces, access, holders }: ErasureNeeds) {
  /** Remove all there is of a person who is locked; return the places where it was. */
  return async function removeAll(
    tx: Transaction,
    scope: Scope,
    person: ErasedPerson,
    { holding, keeping }: StoringDevices,
    pseudonymise: boolean,
  ): Promise<data.NewPlace[]> {
    const now = platform.clock.now()
    const places: data.NewPlace[] = []
    const add = (place: PlaceName, count: number, more: Partial<data.NewPlace> = {}): void => {
      const state = more.state ?? ((more.fileIds?.length ?? 0) > 0 ? 'pending' : 'done')
      places.push({
        place,
        count,
        name: '',
        deviceId: null,
        devicePark: null,
        fileIds: [],
        ...more,
        state,
        at: state === 'pending' ? null : now,
      })
    }
    const [leaving, ids]: [LeavingPerson[], string[]] = [[{ id: person.id, workNumber: person.workNumber }], [person.id]]

    await persons.hide(tx, scope, person.id)
    // Before the register announces the deletion: the entries logged until now are emptied, and counted once.
    const entries = (await platform.audit.forget(tx, 'person', ids)) + (await platform.audit.forget(tx, 'personContact', person.contactIds))
    const [own, ofContacts] = [await faces.release(tx, scope, ids), await faces.releaseContacts(tx, scope, person.contactIds)]
    const photographs = [...own.fileIds, ...ofContacts.fileIds]
    await platform.storage.release(tx, scope, person.pictures)
    await access.leaveStrategies(tx, scope, person.id)
    await access.forgetHits(tx, scope, ids)
    const placesOfHolders: { place: string; count: number; fileIds: string[] }[] = []
    for (const holder of holders()) placesOfHolders.push({ place: holder.place, ...(await holder.forget(tx, scope, leaving)) })
    await data.deleteConsents(scope, tx, ids)
    const counted = await access.count(scope, ids)
    await people.remove(tx, scope, ids)
    await access.noteErasure(tx, scope, person.id)
    const records = pseudonymise ? await access.pseudonymise(tx, scope, person.id) : null
    if (records !== null) await persons.hidePseudonyms(tx, scope, person, records.pseudonyms)

    add('person', 1)
    add('contacts', person.contactIds.length)
    add('photographs', photographs.length, { fileIds: photographs })
    add('templates', own.templates + ofContacts.templates)
    // Each node updates its search by itself, and the receipt waits for it.
    add('search', own.fileIds.length, { state: 'pending' })
    add('idPictures', person.pictures.length, { fileIds: person.pictures })
    if (records === null) {
      add('records', counted.records, { state: 'kept' })
      add('captures', counted.captures, { state: 'kept' })
    } else {
      add('records', records.records)
      add('captures', records.fileIds.length, { fileIds: records.fileIds })
    }
    for (const place of new Set(placesOfHolders.map((entry) => entry.place))) {
      const entriesOfPlace = placesOfHolders.filter((entry) => entry.place === place)
      add(
        place as PlaceName,
        entriesOfPlace.reduce((sum, { count }) => sum + count, 0),
        { fileIds: entriesOfPlace.flatMap(({ fileIds }) => fileIds) },
      )
    }
    add('log', entries)
    const addDevice = (place: PlaceName, { id, name, parkId }: StoringDevice): void =>
      add(place, 1, { deviceId: id, devicePark: parkId === scope.parkId ? null : parkId, name, state: 'pending' })
    for (const device of holding) addDevice('terminal', device)
    for (const device of keeping) addDevice('terminalRecords', device)
    return places
  }
}
