/** Applications: handed in by people themselves or by a third party, listed for whoever approves. */
import type { z } from 'zod'
import type { Language } from '@gatehouse/contract'
import type { PersonApplication, enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import { FORBIDDEN_IN_NAME } from '@gatehouse/contract/people/fields'
import type { PersonKind } from '@gatehouse/contract/people/calls'
import type { PersonHolder, Platform } from '../../platform/context.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { FacesService } from '../faces/index.ts'
import type { GroupService, PeopleService } from '../people/index.ts'
import * as data from './data.ts'
import { phoneOf } from './phone.ts'
import type { Photos } from './photo.ts'
import { APPLICATION_PHONE, APPLICATION_TEMPLATE, type EnrolmentTables } from './schema.ts'

type Submitted = z.output<(typeof enrolmentCalls)['submit']['body']>
type Second = z.output<(typeof enrolmentCalls)['submitSecond']['body']>
type Applied = z.output<(typeof enrolmentCalls)['apply']['body']>

/** What a park asks of those who hand in themselves. */
export interface ConsentAsked {
  required: boolean
  /** Empty where the park has written none. */
  text: string
}

export interface ApplicationNeeds {
  people: PeopleService
  groups: GroupService
  faces: FacesService
  consent(scope: Scope, language: Language): ConsentAsked
}

export interface Applications {
  list(scope: Scope, query: data.ApplicationQuery): Promise<{ total: number; content: PersonApplication[]; page: number; size: number }>
  /** Through a link. @throws Refusal of the photograph at `file` */
  submit(link: data.LinkRow, sent: Submitted, file: Uint8Array | null): Promise<string>
  /**
   * A second photograph of what was handed in through the link; answers the id of that.
   * @throws InvalidRequest for what is not pending any more, or was handed in otherwise; Refusal of the photograph at `file`
   */
  submitSecond(link: data.LinkRow, sent: Second, file: Uint8Array | null): Promise<string>
  /** From a third party. @throws Refusal of the photograph at `photo` */
  apply(scope: Scope, sent: Applied): Promise<string>
  /** What is known of persons here, decided applications too. */
  holder: PersonHolder
}

/** An application as it came. */
type Given = Omit<data.ApplicationValues, 'phoneSealed'> & { phone: string | null }

const orNull = (text: string | null | undefined): string | null => (text == null || text === '' ? null : text)
const GENDER_UNKNOWN = 3

/** Files an application keeps. */
export const filesOf = ({ fileId, secondFileId }: Pick<data.ApplicationRow, 'fileId' | 'secondFileId'>): string[] =>
  [fileId, secondFileId].filter((id) => id !== null)

export function createApplications(platform: Platform, photos: Photos, { people, groups, faces, consent }: ApplicationNeeds): Applications {
  const db = platform.db as unknown as Database<EnrolmentTables>

  async function groupNames(scope: Scope, ids: readonly string[]): Promise<Map<string, string>> {
    return new Map((await groups.names(scope, ids)).map(({ id, name }) => [id, name]))
  }

  function assertName(name: string): void {
    // The schema lets masked names pass, which nobody is shown here.
    if (FORBIDDEN_IN_NAME.test(name)) throw new InvalidRequest([{ path: 'name', rule: 'name' }])
  }

  /**
   * Keeps an application, in place of one of the same identity that is still pending.
   * @param given in clear
   * @param once what was decided stays decided, and the same again is no news
   */
  async function keep(scope: Scope, given: Given, { groupName, once }: { groupName: string; once: boolean }): Promise<string> {
    return platform.transaction(async (tx: Tx<EnrolmentTables>) => {
      await data.lockIdentity(scope, tx, given.identity)
      const before = await data.findByIdentity(scope, tx, given.identity)
      if (before !== undefined && before.state !== 'pending' && once) return before.id
      const now = platform.clock.now()
      const replaced = before?.state === 'pending' ? before : undefined
      const id = replaced?.id ?? newId()
      const template = given.template && (await platform.crypto.seal(scope.parkId, placeOf(APPLICATION_TEMPLATE, id), given.template))
      const { phone, ...rest } = given
      const phoneSealed =
        phone === null ? null : await platform.crypto.seal(scope.parkId, placeOf(APPLICATION_PHONE, id), Buffer.from(phone))
      const values: data.ApplicationValues = { ...rest, phoneSealed, template }
      if (replaced === undefined) await data.insertApplication(scope, tx, id, values, now)
      // Somebody is registering it at this moment.
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

  return {
    async list(scope, query) {
      const { content, total } = await data.listApplications(scope, db, query)
      const [names, phones, own, similar] = await Promise.all([
        groupNames(
          scope,
          content.map(({ groupId }) => groupId),
        ),
        Promise.all(content.map((row) => phoneOf(platform.crypto, scope, row))),
        faces.photosOf(
          scope,
          content.flatMap(({ personId }) => personId ?? []),
        ),
        Promise.all(content.map((row) => photos.similarTo(scope, row))),
      ])
      const addressOf = (fileId: string | null, variant: '96' | '320'): string =>
        fileId === null ? '' : platform.storage.address(scope, fileId, variant)
      return {
        total,
        content: content.map((row, at) => ({
          id: row.id,
          source: row.source as data.ApplicationSource,
          system: row.system,
          state: row.state as data.AuditState,
          personId: row.personId,
          kind: row.kind as PersonKind,
          name: row.name,
          workNumber: row.workNumber ?? '',
          phone: phones[at] ?? '',
          gender: row.gender,
          groupId: row.groupId,
          groupName: names.get(row.groupId) ?? '',
          url: addressOf(row.fileId, '320'),
          thumbnail: addressOf(row.fileId, '96'),
          secondUrl: addressOf(row.secondFileId, '320'),
          photos: (own.get(row.personId ?? '') ?? []).map(({ url, thumbnail }) => ({ url, thumbnail })),
          similar: similar[at]!,
          consent: row.consent,
          createdAt: row.createdAt as number,
          decidedAt: row.decidedAt as number | null,
          decidedBy: row.decidedBy,
          reason: row.reason,
        })),
        page: query.page,
        size: query.size,
      }
    },
    async submit(link, sent, file) {
      const scope = { parkId: link.parkId }
      // Whoever holds the link has no account.
      platform.audit.actAs({ parkId: link.parkId, userId: null, account: '', operator: '', source: 'local' })
      const [person] = link.personId === null ? [] : await people.describe(scope, [link.personId])
      const groupName = person?.groupName ?? (await groupNames(scope, [link.groupId])).get(link.groupId)
      // What it was made for is gone.
      if (groupName === undefined || (link.personId !== null && person === undefined))
        throw new InvalidRequest([{ path: 'token', rule: 'linkEnded' }])
      const name = person?.name ?? sent.name
      const [workNumber, phone] = person === undefined ? [orNull(sent.workNumber), orNull(sent.phone)] : [person.workNumber, null]
      if (name === undefined) throw new InvalidRequest([{ path: 'name', rule: 'required' }])
      if (person === undefined) {
        assertName(name)
        // Whoever approves must be able to tell who it is, and the same person again from somebody of the same name.
        if (workNumber === null && phone === null) throw new InvalidRequest([{ path: 'workNumber', rule: 'numberOrPhone' }])
      }
      if (consent(scope, 'en').required && sent.consent !== 'true') throw new InvalidRequest([{ path: 'consent', rule: 'required' }])
      if (file === null) throw new InvalidRequest([{ path: 'file', rule: 'required' }])
      const photo = await photos.take(scope, file, 'file', sent.faceIndex)
      const who = link.personId ?? [name.toLowerCase(), workNumber, phone].join('\n')
      const values: Given = {
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
      return keep(scope, values, { groupName, once: false })
    },
    async submitSecond(link, { applicationId: id, faceIndex }, file) {
      const scope = { parkId: link.parkId }
      platform.audit.actAs({ parkId: link.parkId, userId: null, account: '', operator: '', source: 'local' })
      const gone = () => new InvalidRequest([{ path: 'applicationId', rule: 'unknown' }])
      const [row] = await data.findApplications(scope, db, [id])
      if (row === undefined || row.linkId !== link.id || row.state !== 'pending') throw gone()
      if (file === null) throw new InvalidRequest([{ path: 'file', rule: 'required' }])
      const photo = await photos.take(scope, file, 'file', faceIndex)
      if (!(await photos.showsSame(scope, row, photo))) refuse(200203, 'file')
      await platform.transaction(async (tx: Tx<EnrolmentTables>) => {
        const before = await data.saveSecond(scope, tx, id, photo, platform.clock.now())
        if (before === undefined) throw gone()
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
      const groupName = (await groupNames(scope, [sent.groupId])).get(sent.groupId)
      if (groupName === undefined) throw new InvalidRequest([{ path: 'groupId', rule: 'unknown' }])
      const identity = platform.crypto.blindIndex(`application of ${JSON.stringify([sent.system, sent.reference])}`)
      const before = await data.findByIdentity(scope, db, identity)
      if (before !== undefined && before.state !== 'pending') return before.id
      const encoded = orNull(sent.photo)
      const photo = encoded === null ? noPhoto : await photos.take(scope, Buffer.from(encoded, 'base64'), 'photo')
      const values: Given = {
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
      return keep(scope, values, { groupName, once: true })
    },
    holder: {
      place: 'applications',
      count: async (scope, persons) => (await data.findApplicationsOf(scope, db, persons)).length,
      async forget(open, scope, persons) {
        const tx = open as Tx<EnrolmentTables>
        const rows = await data.findApplicationsOf(scope, tx, persons)
        const ids = rows.map(({ id }) => id)
        const fileIds = rows.flatMap(filesOf)
        await data.deleteApplications(scope, tx, ids)
        await platform.storage.release(tx, scope, fileIds)
        await platform.audit.forget(tx, 'personApplication', ids)
        await data.deleteLinksOf(scope, tx, { personIds: persons.map(({ id }) => id) })
        return { count: rows.length, fileIds }
      },
    },
  }
}
