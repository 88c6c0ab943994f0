/**
 * Conversion of the records of devices into rows, with the current data of person and device, which a record keeps after both are
 * deleted.
 */
import { failReason } from '@gatehouse/contract/enums'
import { checksOf, livenessOf, restrictionOf } from './checks.ts'
import { localTime } from '@gatehouse/access-rules'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import type { Crypto } from '../../platform/encryption/crypto.ts'
import { isStorableText } from '../../platform/http/nul.ts'
import { isUuid, recordId } from '../../platform/database/ids.ts'
import { inPark, type Scope } from '../../platform/session/session.ts'
import type { RecordDependencies } from './dependencies.ts'
import type { KnownPersons } from '../synchronisation/index.ts'
import type { EpochKey, NewRecord } from './ingest-data.ts'
import type { NumberedRun } from '../devices/index.ts'
import { PARTITIONS_END } from './partitions.ts'
import { pseudonymOf } from './pseudonym.ts'

/** A device's record as it was sent, with its clock at sending. */
interface SentRecord extends RecordObject {
  sentAt: number
}

/** The records that one device adds to one epoch. */
export interface DeviceRun extends NumberedRun<SentRecord>, EpochKey {
  /** The highest number stored of the epoch when the run was determined. */
  storedSeq: number
}

/** A received record: its row, or the reason why it cannot be stored. */
export interface Arrival {
  run: DeviceRun
  sent: SentRecord
  row: NewRecord | null
  reason: string
}

const MINUTE = 60_000
/** Fail reasons of refusals by the server, which may name the rule of an area. */
const REFUSED_BY_SERVER: ReadonlySet<number | null> = new Set([failReason.cloudRefused, failReason.areaFull])
const SMALLINT_MAX = 32_767
const INTEGER_MAX = 2_147_483_647

const within = (value: number, limit: number): boolean => Math.abs(value) <= limit

/** Return why a record cannot be stored; null where it can. Detected before the insert, it costs the other records nothing. */
function unstorableReason(sent: RecordObject): string | null {
  if (sent.occurredAt >= PARTITIONS_END) return 'a moment beyond the year 9999'
  if (sent.personId !== null && !isUuid(sent.personId)) return 'a person id that is none'
  if (sent.contactId != null && !isUuid(sent.contactId)) return 'a contact id that is none'
  if (![sent.personName, sent.contactName ?? '', sent.checks, sent.revision].every(isStorableText)) return 'a text that cannot be stored'
  if (!within(sent.direction, SMALLINT_MAX) || !within(sent.verifyType, SMALLINT_MAX)) return 'a number out of range'
  return sent.failReason === null || within(sent.failReason, INTEGER_MAX) ? null : 'a number out of range'
}

/**
 * Return a function for the local date and hour in a zone, computed once per minute: offsets are whole minutes, and records of a
 * batch are close together.
 */
function localClock(zone: string): (moment: number) => { date: string; hour: number } {
  const minutes = new Map<number, { date: string; hour: number }>()
  return (moment) => {
    const key = Math.floor(moment / MINUTE)
    let local = minutes.get(key)
    if (local === undefined) {
      const { date, minute } = localTime(moment, zone)
      minutes.set(key, (local = { date, hour: Math.floor(minute / 60) }))
    }
    return local
  }
}

/**
 * Return the rows of a park's runs, in their order. Names of persons and devices are read once for all of them.
 * @throws where the park does not exist any more
 */
export async function arrivalsOf(
  scope: Scope,
  {
    people,
    homeOf,
    devices,
    organisation,
    pseudonymised,
  }: Pick<RecordDependencies, 'people' | 'devices' | 'organisation' | 'pseudonymised'> & Pick<KnownPersons, 'homeOf'>,
  crypto: Pick<Crypto, 'blindIndex'>,
  runs: readonly DeviceRun[],
  now: number,
): Promise<Arrival[]> {
  const personIds = new Set(
    runs.flatMap(({ records }) => records.flatMap(({ personId }) => (personId !== null && isUuid(personId) ? [personId] : []))),
  )
  const contactIds = new Set(
    runs.flatMap(({ records }) => records.flatMap(({ contactId }) => (contactId != null && isUuid(contactId) ? [contactId] : []))),
  )
  const [persons, names, contacts] = await Promise.all([
    people.facts(scope, [...personIds]),
    devices.names(scope, [...new Set(runs.map(({ deviceId }) => deviceId))]),
    people.contactsNamed(scope, [...contactIds]),
  ])
  const personById = new Map(persons.map((person) => [person.id, person]))
  const unknown = [...personIds].filter((id) => !personById.has(id))
  const erased = new Set(
    (
      await Promise.all(
        [...Map.groupBy(unknown, (id) => homeOf(scope, id))].map(async ([parkId, ids]) => [
          ...(await pseudonymised(inPark(scope, parkId), ids)),
        ]),
      )
    ).flat(),
  )
  const nameById = new Map(names.map(({ id, name }) => [id, name]))
  const { zone } = organisation.park(scope)
  const localAt = localClock(zone)
  const receivedAt = new Date(now).toISOString()

  /** Return the contact who came in the person's place; of an erased person only the pseudonym is kept. */
  function contactOf({ personId, contactId = null, contactName }: SentRecord, isErased: boolean) {
    if (personId === null || contactId === null || isErased) return { contactId: null, contactName: '', contactRelation: null }
    const contact = contacts.get(contactId)
    const own = contact?.personId === personId ? contact : undefined
    return { contactId, contactName: own?.name ?? contactName ?? '', contactRelation: own?.relation ?? null }
  }

  function rowOf(run: DeviceRun, sent: SentRecord): NewRecord {
    const person = sent.personId === null ? undefined : personById.get(sent.personId)
    const home = sent.personId === null ? scope.parkId : homeOf(scope, sent.personId)
    const isGuest = home !== scope.parkId
    const pseudonym = sent.personId !== null && erased.has(sent.personId) ? pseudonymOf(crypto, scope, sent.personId) : null
    const local = localAt(sent.occurredAt)
    const checks = checksOf(sent.checks)
    return {
      id: recordId(run.deviceId, run.epoch, sent.seq),
      parkId: scope.parkId,
      occurredAt: new Date(sent.occurredAt).toISOString(),
      receivedAt,
      clockOffsetMs: now - sent.sentAt,
      zone,
      localDate: local.date,
      localHour: local.hour,
      deviceId: run.deviceId,
      deviceName: nameById.get(run.deviceId) ?? '',
      personId: pseudonym?.id ?? sent.personId,
      personName: pseudonym?.name ?? person?.name ?? sent.personName,
      workNumber: person?.workNumber ?? '',
      personParkName: isGuest && pseudonym === null ? (organisation.parks().find(({ id }) => id === home)?.name ?? null) : null,
      ...contactOf(sent, pseudonym !== null),
      personGroupId: isGuest ? null : (person?.groupId ?? null),
      direction: sent.direction,
      verifyType: sent.verifyType,
      result: sent.result,
      failReason: sent.failReason,
      score: sent.score,
      liveness: livenessOf(checks),
      temperature: sent.temperature ?? null,
      temperatureStatus: sent.temperatureStatus ?? null,
      mask: sent.mask ?? null,
      helmet: sent.helmet ?? null,
      checks: sent.checks,
      restriction: REFUSED_BY_SERVER.has(sent.failReason) ? restrictionOf(checks) : null,
      settingsRevision: sent.revision,
    }
  }

  return runs.flatMap((run) =>
    run.records.map((sent) => {
      const reason = unstorableReason(sent)
      return { run, sent, row: reason === null ? rowOf(run, sent) : null, reason: reason ?? '' }
    }),
  )
}
