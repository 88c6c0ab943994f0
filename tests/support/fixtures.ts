/** A park with one of everything a call can name. */
import type { Call } from '@gatehouse/contract'
import { recordId } from '@gatehouse/server/platform/database/ids'
import { accessGroupCalls } from '@gatehouse/contract/strategies/access-groups'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { faceReportCalls } from '@gatehouse/contract/faces/report'
import { accessResult, verifyType } from '@gatehouse/contract/enums'
import { createClient } from '@gatehouse/dev-env/client'
import type { Made, MadeDevice, MadePerson, Site, World } from '@gatehouse/dev-env/world'
import { portrait } from '@gatehouse/dev-env/portraits'
import { query } from './embedded-postgres.ts'
import type { Given } from './requests.ts'
import { until } from './until.ts'

export interface Fixtures {
  site: Site
  group: Made
  /** A group without persons, which may be deleted. */
  emptyGroup: Made
  person: MadePerson
  /** Stored as a look-alike of `person`. */
  otherPerson: MadePerson
  pairId: string
  /** A finished report; empty where none was requested. */
  reportId: string
  /** The record, labelled as a picture that was held up to the camera. */
  captureId: string
  device: MadeDevice
  deviceGroup: Made
  /** A door group; no strategy names it. */
  accessGroup: Made
  timeRule: Made
  /** A rule that no strategy uses. */
  spareRule: Made
  strategy: Made
  /** Photos that belong to no person yet; empty where none was requested. */
  faceIds: string[]
  recordId: string
  /** The audience of the device. */
  audience: string
}

/** Return a drawn face, always the same. */
export const drawnFace = (): Promise<Buffer> => portrait('furnished')

/**
 * Ingest a refused passage the way the gateway does: how a device connects and sends is covered by the tests of the device.
 * @returns the record's id
 */
export async function recordAt(
  world: World,
  { site, device }: { site: Site; device: { id: string } },
  person: { id: string; name: string },
  { epoch, revision }: { epoch: string; revision: string },
): Promise<string> {
  const record = {
    seq: 1,
    occurredAt: world.clock.now(),
    personId: person.id,
    personName: person.name,
    result: accessResult.rejected,
    failReason: 6,
    verifyType: verifyType.face,
    direction: 1,
    score: 90,
    checks: '[]',
    revision,
    hasPicture: false,
  }
  await world.server.contexts.records.ingest(
    { deviceId: device.id, parkId: site.park.id },
    { epoch, oldestSeq: 1, sentAt: world.clock.now(), records: [record] },
  )
  return recordId(device.id, epoch, 1)
}

/**
 * Create one of everything in a park, including a record of a refused passage.
 * @param face also a photo, which takes the engine a while
 * @param report also a report, which takes a second
 */
export async function createFixtures(world: World, site: Site, { face = true, report = true } = {}): Promise<Fixtures> {
  const [group, emptyGroup, device, deviceGroup, timeRule, spareRule] = await Promise.all([
    site.personGroup(),
    site.personGroup(),
    site.device(),
    site.deviceGroup(),
    site.timeRule(),
    site.timeRule(),
  ])
  const faceIds = face ? [(await site.call(faceCalls.cache, { body: {}, file: await drawnFace() })).faceId] : []
  const [person, otherPerson] = [await site.person({ groupId: group.id }), await site.person({ groupId: group.id })]
  const { id: pairId } = await site.call(faceCalls.addPair, { body: { personId: person.id, otherId: otherPerson.id } })
  const accessGroupName = `Access ${device.code}`
  const accessGroup = {
    name: accessGroupName,
    id: (await site.call(accessGroupCalls.create, { body: { name: accessGroupName, deviceIds: [device.id] } })).id,
  }
  const strategy = await site.strategy({ persons: [person], devices: [device], timeRules: [timeRule] })
  // The name of an audience depends on its members: it is final when all changes are applied.
  await world.server.platform.events.settled()
  await world.server.contexts.synchronisation.service.settled()
  const { audience, revision } = await createClient(world.url, { basic: [device.code, device.secret] }).call(
    deviceProtocolCalls.manifest,
    {},
  )
  const made = await recordAt(world, { site, device }, person, { epoch: 'furnished', revision })
  const { liveness } = world.server.contexts.faces.service
  const { id: captureId } = await liveness.addCapture(
    { parkId: site.park.id },
    { recordId: made, label: 'spoof', score: 0.1, modelId: 'furnished' },
  )
  const reportId = report ? await madeReport(world, site) : ''
  return {
    audience,
    site,
    group,
    emptyGroup,
    person,
    otherPerson,
    pairId,
    reportId,
    captureId,
    device,
    deviceGroup,
    accessGroup,
    timeRule,
    spareRule,
    strategy,
    faceIds,
    recordId: made,
  }
}

async function madeReport(world: World, site: Site): Promise<string> {
  // A park makes one report at a time: another one may be in progress. Requested by a user who cannot see the watch list: such a report is
  // visible to all users.
  const measuring = await world.session({ park: site.park, roleSign: 'other', permissions: ['device.setting'] })
  const { id } = await until('room for a report', () => measuring.call(faceReportCalls.start, { body: {} }))
  await until('the report', async () => (await site.call(faceReportCalls.read, { params: { id } })).work.state === 'done')
  return id
}

/** Return the rows of the fixtures of a park as one text, which differs once any of them was changed or deleted. */
async function fingerprintOf({ connectionString }: World, things: Fixtures): Promise<string> {
  const tables = await query<{ name: string }>(
    connectionString,
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'id' and udt_name = 'uuid'
       and table_name in (select relname from pg_class where relkind in ('r', 'p') and not relispartition) order by 1`,
  )
  const { group, emptyGroup, person, otherPerson, device, deviceGroup, accessGroup, timeRule, spareRule, strategy } = things
  const made = [group, emptyGroup, person, otherPerson, device, deviceGroup, accessGroup, timeRule, spareRule, strategy].map(({ id }) => id)
  const report = things.reportId === '' ? [] : [things.reportId]
  const ids = [...made, things.pairId, things.captureId, things.recordId, ...things.faceIds, ...report]
  const rows = tables.map(({ name }) => `select md5(t::text) as print from "${name}" t where id = any($1::uuid[])`)
  const prints = await query<{ print: string }>(connectionString, rows.join(' union all '), [ids])
  return prints.map(({ print }) => print).join()
}

/**
 * Provide the fixtures of a park to calls, one after the other, that may change or delete them: created again only where the call before
 * did so. What a call adds, such as a note on a record, stays.
 * @returns a function that returns unchanged fixtures for the next call
 */
export function untouchedFixtures(world: World, site: Site): (options: { face?: boolean; report?: boolean }) => Promise<Fixtures> {
  let kept: { things: Fixtures; print: string; options: string } | undefined
  return async (options) => {
    const isUntouched = kept?.options === JSON.stringify(options) && (await fingerprintOf(world, kept.things)) === kept.print
    if (kept !== undefined && isUntouched) return kept.things
    const things = await createFixtures(world, site, options)
    kept = { things, print: await fingerprintOf(world, things), options: JSON.stringify(options) }
    return things
  }
}

/** What `id` means, by the address of the call. */
const OWNER_OF_ID: readonly [RegExp, (things: Fixtures) => string][] = [
  [/\/access\/group/, ({ accessGroup }) => accessGroup.id],
  [/\/person\/group$/, ({ emptyGroup }) => emptyGroup.id],
  [/\/face\/pair\//, ({ pairId }) => pairId],
  [/\/face\/report\//, ({ reportId }) => reportId],
  [/\/liveness\/capture$/, ({ captureId }) => captureId],
  [/\/secondPhotograph\//, ({ person }) => person.id],
  [/\/persons?(\/|$)/, ({ person }) => person.id],
  [/\/device(\/|$)/, ({ device }) => device.id],
  [/Strategy/, ({ strategy }) => strategy.id],
  [/\/rule\//, ({ spareRule }) => spareRule.id],
  [/\/record\//, ({ recordId: record }) => record],
  [/\/face\//, ({ faceIds, person }) => faceIds[0] ?? person.id],
]

/** Whether a field names something of a park: `id`, `…Id`, `…Ids`, photos and audiences. */
export const namesSomething = (field: string): boolean => !NO_ID.has(field) && /^ids?$|Ids?$|^facePhotos$|^audience$/.test(field)

/** Fields that end like an id but name nothing of a park: the face model of a device. */
const NO_ID = new Set(['modelId'])

/** Return values for every field of a call that names something. @throws Error for a field whose meaning is not defined */
export function idsFor(call: Call, fields: Iterable<string>, things: Fixtures): Given {
  const groupOfCall = /\/device/.test(call.url) ? things.deviceGroup.id : things.group.id
  const own = OWNER_OF_ID.find(([pattern]) => pattern.test(call.url))?.[1](things)
  const meanings: Record<string, unknown> = {
    id: own,
    ids: own === undefined ? undefined : [own],
    groupId: groupOfCall,
    parentId: groupOfCall,
    personId: things.person.id,
    personIds: [things.person.id],
    otherId: things.otherPerson.id,
    actualPersonId: things.otherPerson.id,
    recordId: things.recordId,
    personGroupId: things.group.id,
    personGroupIds: [things.group.id],
    audience: things.audience,
    organisationId: things.site.park.id,
    deviceId: things.device.id,
    deviceIds: [things.device.id],
    deviceGroupId: things.deviceGroup.id,
    deviceGroupIds: [things.deviceGroup.id],
    accessGroupIds: [things.accessGroup.id],
    timeRuleIds: [things.timeRule.id],
    strategyId: things.strategy.id,
    strategyIds: [things.strategy.id],
    facePhotos: things.faceIds,
  }
  return Object.fromEntries(
    [...fields].filter(namesSomething).flatMap((field) => {
      if (meanings[field] === undefined)
        throw new Error(`what does ${field} of ${call.method} ${call.url} name? Say so in the case of the call, in tests/support/cases`)
      return [[field, meanings[field]]]
    }),
  )
}
