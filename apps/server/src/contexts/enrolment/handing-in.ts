/** Submission of applications: through a link, a second photo for one, and from a third party. */
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import { FORBIDDEN_IN_NAME } from '@gatehouse/contract/people/fields'
import type { Platform } from '../../platform/context.ts'
import { newId } from '../../platform/database/ids.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { GroupService } from '../people/index.ts'
import { filesOf } from './application-files.ts'
import type { Applications, ApplicationNeeds } from './applications-types.ts'
import * as data from './data.ts'
import type { Photos } from './photo.ts'
import { APPLICATION_PHONE, APPLICATION_TEMPLATE } from './schema.ts'

/** An application as submitted. */
type Application = Omit<data.ApplicationValues, 'phoneSealed'> & { phone: string | null }

const orNull = (text: string | null | undefined): string | null => (text == null || text === '' ? null : text)
const GENDER_UNKNOWN = 3

function assertName(name: string): void {
  // The schema accepts masked names, but no one is shown any here.
  if (FORBIDDEN_IN_NAME.test(name)) throw new InvalidRequest([{ path: 'name', rule: 'name' }])
}

/**
 * Store an application, replacing a pending one of the same identity.
 * @param application in clear
 * @param once if true, a decided application of the identity stays, and nothing is stored
 */
async function keep(
  platform: Platform,
  scope: Scope,
  application: Application,
  { groupName, once }: { groupName: string; once: boolean },
): Promise<string> {
  return platform.transaction(async (tx) => {
    await data.lockIdentity(scope, tx, application.identity)
    const before = await data.findByIdentity(scope, tx, application.identity)
    if (before !== undefined && before.state !== 'pending' && once) return before.id
    const now = platform.clock.now()
    const replaced = before?.state === 'pending' ? before : undefined
    const id = replaced?.id ?? newId()
    const template =
      application.template && (await platform.crypto.seal(scope.parkId, placeOf(APPLICATION_TEMPLATE, id), application.template))
    const { phone, ...rest } = application
    const phoneSealed = phone === null ? null : await platform.crypto.seal(scope.parkId, placeOf(APPLICATION_PHONE, id), Buffer.from(phone))
    const values: data.ApplicationValues = { ...rest, phoneSealed, template }
    if (replaced === undefined) await data.insertApplication(scope, tx, id, values, now)
    // The application is being decided at this moment.
    else if (!(await data.replaceApplication(scope, tx, id, values, now))) refuse(900000)
    if (replaced !== undefined) await platform.storage.release(tx, scope, filesOf(replaced))
    if (values.fileId !== null) await platform.storage.keep(tx, scope, [values.fileId])
    const { name, workNumber, gender, consent: consented } = values
    platform.audit.note({
      entity: 'personApplication',
      id,
      label: name,
      labelMask: 'name',
      after: { name, workNumber, phone, gender, groupName, consent: consented },
    })
    return id
  })
}

const noPhoto = { fileId: null, modelId: null, template: null, faceX: null, faceY: null }

/** Return the names of groups by id. */
export async function groupNamesOf(groups: GroupService, scope: Scope, ids: readonly string[]): Promise<Map<string, string>> {
  return new Map((await groups.names(scope, ids)).map(({ id, name }) => [id, name]))
}

type HandingIn = Pick<Applications, 'submit' | 'submitSecond' | 'apply'>

export function createHandingIn(platform: Platform, photos: Photos, { people, groups, consent }: ApplicationNeeds): HandingIn {
  const db = platform.db
  return {
    async submit(link, sent, file) {
      const scope = { parkId: link.parkId }
      // A person with the link has no account.
      platform.audit.actAs({ parkId: link.parkId, userId: null, account: '', operator: '', source: 'local' })
      const [person] = link.personId === null ? [] : await people.describe(scope, [link.personId])
      const groupName = person?.groupName ?? (await groupNamesOf(groups, scope, [link.groupId])).get(link.groupId)
      // The group or person of the link no longer exists.
      if (groupName === undefined || (link.personId !== null && person === undefined))
        throw new InvalidRequest([{ path: 'token', rule: 'linkEnded' }])
      const name = person?.name ?? sent.name
      const [workNumber, phone] = person === undefined ? [orNull(sent.workNumber), orNull(sent.phone)] : [person.workNumber, null]
      if (name === undefined) throw new InvalidRequest([{ path: 'name', rule: 'required' }])
      if (person === undefined) {
        assertName(name)
        // Approvers must be able to identify the person, and to tell them from another of the same name.
        if (workNumber === null && phone === null) throw new InvalidRequest([{ path: 'workNumber', rule: 'numberOrPhone' }])
      }
      if (consent(scope, 'en').required && sent.consent !== 'true') throw new InvalidRequest([{ path: 'consent', rule: 'required' }])
      if (file === null) throw new InvalidRequest([{ path: 'file', rule: 'required' }])
      const photo = await photos.take(scope, file, 'file', sent.faceIndex)
      const who = link.personId ?? [name.toLowerCase(), workNumber, phone].join('\n')
      const values: Application = {
        source: 'self',
        system: '',
        linkId: link.id,
        identity: platform.crypto.blindIndex(`application ${link.id} ${who}`),
        personId: link.personId,
        kind: link.kind as PersonKind,
        name,
        workNumber,
        phone,
        gender: person?.gender ?? sent.gender ?? GENDER_UNKNOWN,
        groupId: person?.groupId ?? link.groupId,
        ...photo,
        consent: sent.consent === 'true',
      }
      return keep(platform, scope, values, { groupName, once: false })
    },
    async submitSecond(link, { applicationId: id, faceIndex }, file) {
      const scope = { parkId: link.parkId }
      platform.audit.actAs({ parkId: link.parkId, userId: null, account: '', operator: '', source: 'local' })
      const unknown = () => new InvalidRequest([{ path: 'applicationId', rule: 'unknown' }])
      const [row] = await data.findApplications(scope, db, [id])
      if (row === undefined || row.linkId !== link.id || row.state !== 'pending') throw unknown()
      if (file === null) throw new InvalidRequest([{ path: 'file', rule: 'required' }])
      const photo = await photos.take(scope, file, 'file', faceIndex)
      if (!(await photos.showsSame(scope, row, photo))) refuse(200203, 'file')
      await platform.transaction(async (tx) => {
        const before = await data.saveSecond(scope, tx, id, photo, platform.clock.now())
        if (before === undefined) throw unknown()
        if (before.secondFileId !== null) await platform.storage.release(tx, scope, [before.secondFileId])
        await platform.storage.keep(tx, scope, [photo.fileId])
        platform.audit.note({
          entity: 'personApplication',
          id,
          label: row.name,
          labelMask: 'name',
          before: { photos: 1 },
          after: { photos: 2 },
        })
      })
      return id
    },
    async apply(scope, sent) {
      assertName(sent.name)
      const groupName = (await groupNamesOf(groups, scope, [sent.groupId])).get(sent.groupId)
      if (groupName === undefined) throw new InvalidRequest([{ path: 'groupId', rule: 'unknown' }])
      const identity = platform.crypto.blindIndex(`application of ${JSON.stringify([sent.system, sent.reference])}`)
      const before = await data.findByIdentity(scope, db, identity)
      if (before !== undefined && before.state !== 'pending') return before.id
      const encoded = orNull(sent.photo)
      const photo = encoded === null ? noPhoto : await photos.take(scope, Buffer.from(encoded, 'base64'), 'photo')
      const values: Application = {
        source: 'thirdParty',
        system: sent.system,
        linkId: null,
        identity,
        personId: null,
        kind: sent.kind,
        name: sent.name,
        workNumber: orNull(sent.workNumber),
        phone: orNull(sent.phone),
        gender: sent.gender,
        groupId: sent.groupId,
        ...photo,
        consent: sent.consent,
      }
      return keep(platform, scope, values, { groupName, once: true })
    },
  }
}
