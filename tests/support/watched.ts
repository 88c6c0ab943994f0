/** A person of the watch list with one of everything that can belong to a person. */
import { specialCalls } from '@gatehouse/contract/people/special'
import { clinicCalls } from '@gatehouse/contract/clinic/calls'
import { writtenRuleCalls } from '@gatehouse/contract/approvals/written-rules'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { issuingCalls } from '@gatehouse/contract/cards/issuing'
import { enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { contactCalls } from '@gatehouse/contract/people/contacts'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { relationCalls } from '@gatehouse/contract/relations/calls'
import { restrictionCalls } from '@gatehouse/contract/restrictions/calls'
import { sql } from '@gatehouse/server/platform/database/database'
import type { Site, World } from '@gatehouse/dev-env/world'
import { drawnFace, recordAt, type Fixtures } from './fixtures.ts'

export interface Watched {
  id: string
  name: string
  workNumber: string
  /** Ids by what they name: the person, and all that belongs to them alone. */
  ids: Readonly<Record<string, string>>
}

const NAME = 'Zacharias Moriarty'
const WORK_NUMBER = 'WATCHED-7'
const REASON = 'asked for'

/** Create a staff member with everything that staff can have, and then put them on the watch list. @param things of the same park */
export async function watch(world: World, things: Fixtures): Promise<Watched> {
  const { site, device } = things
  const picture = await drawnFace()
  const person = await site.person({ name: NAME, workNumber: WORK_NUMBER, photo: picture, permittedAt: device })
  const { id: pair } = await site.call(faceCalls.addPair, { body: { personId: person.id, otherId: things.person.id } })
  await site.call(faceCalls.setThreshold, { params: { id: person.id }, body: { threshold: 97 } })
  await site.call(privacyCalls.noteConsent, { params: { id: person.id }, body: { state: 'given' } })
  const { id: contact } = await site.call(contactCalls.create, {
    body: {
      personId: person.id,
      name: 'Sebastian Moran',
      phone: '13800138111',
      relation: 1,
      gender: 1,
      photo: (await site.call(faceCalls.cache, { body: {}, file: picture })).faceId,
    },
  })
  const { photo: contactFace } = await site.call(contactCalls.read, { query: { id: contact } })
  const { id: card } = await site.call(issuingCalls.issue, {
    body: { personId: person.id, type: 0, number: '77001', effectiveDate: '2026-01-01', expiryDate: '2099-12-31' },
  })
  const application = await applied(world, site, person.id, picture)
  const record = await recordAt(world, things, person, { epoch: 'watched', revision: 'none' })
  await site.call(clinicCalls.correct, { params: { id: record }, body: { actualPersonId: things.otherPerson.id } })
  const { id: door } = await site.device()
  const { id: area } = await site.call(restrictionCalls.create, {
    body: { name: 'Vault', limitType: 'antiSneakBack', deviceIds: [door], antiSneakBack: true, flowLimit: false },
  })
  await site.call(restrictionCalls.setStatus, { body: { restrictionId: area, personIds: [person.id], status: 1 } })
  await site.call(restrictionCalls.beginMuster, { body: { restrictionId: area } })
  await site.call(writtenRuleCalls.create, { body: { name: 'Never', personIds: [person.id, things.person.id], deviceIds: [door] } })
  const other = await world.addPark()
  const { verificationCode: authorisationCode } = await other.call(areaCalls.verificationCode, { query: {} })
  await site.call(relationCalls.apply, { body: { authorisationCode, personIds: [person.id, things.person.id] } })
  const palm = await palmOf(world, site, person.id, picture)

  const { id: group } = await site.call(specialCalls.createGroup, { body: { name: 'Napoleons' } })
  const { version, ...now } = await site.call(peopleCalls.read, { query: { id: person.id } })
  await site.call(peopleCalls.change, {
    body: { id: person.id, version, name: NAME, workNumber: WORK_NUMBER, groupId: group, kind: 'special', facePhotos: now.facePhotos },
  })
  await site.call(clinicCalls.analyse, { params: { id: record } })
  const gone = await site.call(specialCalls.create, { body: { name: 'Adelbert Gruner', workNumber: 'WATCHED-8', groupId: group } })
  const { erasureIds } = await site.call(privacyCalls.erase, { body: { personIds: [gone.id], reason: REASON } })
  await world.settled()
  const { content: entries } = await site.call(auditCalls.operations, { query: { subject: NAME, size: 1 } })
  return {
    id: person.id,
    name: NAME,
    workNumber: WORK_NUMBER,
    ids: {
      person: person.id,
      group,
      contact,
      contactFace,
      card,
      palm,
      application,
      record,
      pair,
      face: person.faceIds[0]!,
      erasure: erasureIds[0]!,
      entry: entries[0]!.id,
    },
  }
}

/** Submit an application of the person, through a link of their own. */
async function applied(world: World, site: Site, personId: string, picture: Uint8Array): Promise<string> {
  const { url } = await site.call(enrolmentCalls.createLink, { body: { personId } })
  const linkToken = url.slice(url.indexOf('#') + 1)
  return (await world.client.as(null).call(enrolmentCalls.submit, { body: {}, linkToken, file: picture })).id
}

/** Store a palm as a collector would have sent it. */
async function palmOf({ server }: World, site: Site, personId: string, picture: Buffer): Promise<string> {
  const { db, storage } = server.platform
  const id = crypto.randomUUID()
  const fileId = await storage.savePicture({ parkId: site.park.id }, picture, 'palm')
  await sql`INSERT INTO person_palm (id, park_id, person_id, device_id, device_name, file_id, created_at)
    VALUES (${id}, ${site.park.id}, ${personId}, ${crypto.randomUUID()}, 'Desk', ${fileId}, now())`.execute(db)
  return id
}
