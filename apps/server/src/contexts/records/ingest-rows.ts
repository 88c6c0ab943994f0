/** Records of devices as rows, with what is known of person and device now, which a record keeps when both are gone. */
import { decodeChecks, localTime } from '@gatehouse/access-rules'
import type { RecordObject } from '@gatehouse/contract/device/protocol'
import type { Crypto } from '../../platform/encryption/crypto.ts'
import { isStorableText } from '../../platform/http/nul.ts'
import { isUuid, recordId } from '../../platform/database/ids.ts'
import { inPark, type Scope } from '../../platform/session/session.ts'
import type { RecordDependencies } from './dependencies.ts'
import type { KnownPersons } from '../synchronisation/index.ts'
import type { EpochKey, NewRecord } from './ingest-data.ts'
import type { Run } from './ingest-run.ts'
import { PARTITIONS_END } from './partitions.ts'
import { pseudonymOf } from './pseudonym.ts'

/** A device's record as it was sent, with its clock at sending. */
interface SentRecord extends RecordObject {
  sentAt: number
}

/** What one device adds to one epoch. */
export interface DeviceRun extends Run<SentRecord>, EpochKey {
  /** Where the epoch stood when the run was read off it. */
  known: number
}

/** A record on its way in: its row, or why no column takes it. */
export interface Arrival {
  run: DeviceRun
  sent: SentRecord
  row: NewRecord | null
  reason: string
}

const MINUTE = 60_000
const SMALLINT_MAX = 32_767
const INTEGER_MAX = 2_147_483_647

const within = (value: number, limit: number): boolean => Math.abs(value) <= limit

/** Why no column takes a record; null where each does. Seen here, it costs the records beside it nothing. */
function unstorableReason(sent: RecordObject): string | null {
  if (sent.occurredAt >= PARTITIONS_END) return 'a moment beyond the year 9999'
  if (sent.personId !== null && !isUuid(sent.personId)) return 'a person id that is none'
  if (sent.contactId != null && !isUuid(sent.contactId)) return 'a contact id that is none'
  if (![sent.personName, sent.contactName ?? '', sent.checks, sent.revision].every(isStorableText)) return 'a text that cannot be stored'
  if (!within(sent.direction, SMALLINT_MAX) || !within(sent.verifyType, SMALLINT_MAX)) return 'a number out of range'
  return sent.failReason === null || within(sent.failReason, INTEGER_MAX) ? null : 'a number out of range'
}

/** The liveness score among a record's checks, 0 to 1; null where there is none that makes sense. */
function livenessOf(checks: string): number | null {
  try {
    const score = decodeChecks(checks).find((check) => check.code === 'liveness')?.score ?? null
    return typeof score === 'number' && score >= 0 && score <= 1 ? score : null
  } catch {
    return null
  }
}

/** Local date and hour of a zone, worked out once a minute: offsets are whole minutes, and records of a batch are close together. */
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
 * The rows of a park's runs, in their order. Reads names of persons and devices once for all of them.
 * @throws where the park is not known any more
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

  /** Who came in the person's place: of somebody who was erased nothing but the pseudonym is kept. */
  function contactOf({ personId, contactId = null, contactName }: SentRecord, isErased: boolean) {
    if (personId === null || contactId === null || isErased) return { contact_id: null, contact_name: '', contact_relation: null }
    const known = contacts.get(contactId)
    const own = known?.personId === personId ? known : undefined
    return { contact_id: contactId, contact_name: own?.name ?? contactName ?? '', contact_relation: own?.relation ?? null }
  }

  function rowOf(run: DeviceRun, sent: SentRecord): NewRecord {
    const person = sent.personId === null ? undefined : personById.get(sent.personId)
    const home = sent.personId === null ? scope.parkId : homeOf(scope, sent.personId)
    const isGuest = home !== scope.parkId
    const pseudonym = sent.personId !== null && erased.has(sent.personId) ? pseudonymOf(crypto, scope, sent.personId) : null
    const local = localAt(sent.occurredAt)
    return {
      id: recordId(run.deviceId, run.epoch, sent.seq),
      park_id: scope.parkId,
      occurred_at: new Date(sent.occurredAt).toISOString(),
      received_at: receivedAt,
      clock_offset_ms: now - sent.sentAt,
      zone,
      local_date: local.date,
      local_hour: local.hour,
      device_id: run.deviceId,
      device_name: nameById.get(run.deviceId) ?? '',
      person_id: pseudonym?.id ?? sent.personId,
      person_name: pseudonym?.name ?? person?.name ?? sent.personName,
      work_number: person?.workNumber ?? '',
      person_park_name: isGuest && pseudonym === null ? (organisation.parks().find(({ id }) => id === home)?.name ?? null) : null,
      ...contactOf(sent, pseudonym !== null),
      person_group_id: isGuest ? null : (person?.groupId ?? null),
      direction: sent.direction,
      verify_type: sent.verifyType,
      result: sent.result,
      fail_reason: sent.failReason,
      score: sent.score,
      liveness: livenessOf(sent.checks),
      temperature: sent.temperature ?? null,
      temperature_status: sent.temperatureStatus ?? null,
      mask: sent.mask ?? null,
      helmet: sent.helmet ?? null,
      checks: sent.checks,
      settings_revision: sent.revision,
    }
  }

  return runs.flatMap((run) =>
    run.records.map((sent) => {
      const reason = unstorableReason(sent)
      return { run, sent, row: reason === null ? rowOf(run, sent) : null, reason: reason ?? '' }
    }),
  )
}
