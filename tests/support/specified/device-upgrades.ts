/** Upgrades of devices and versions of their apps (M06), as the entities UpgradeTask and AppVersion name them. */
import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { tarOf } from '@gatehouse/dev-env/packages'
import { bears, type Ground, type Json, type SpecifiedCall } from './specified.ts'

/** Each version can be uploaded once. */
let versions = 20260

interface Package {
  fields: Record<string, string>
  bytes: Buffer
}

/** Return a package of another maker, with a number of its own. */
function packageOf(options: Record<string, string> = {}): Package {
  const versionNumber = String(++versions)
  const bytes = tarOf({ 'reader.bin': `program ${versionNumber}` })
  return { fields: { versionNumber, content: 'Quicker', md5: createHash('md5').update(bytes).digest('hex'), ...options }, bytes }
}

function formOf({ fields, bytes }: Package): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([new Uint8Array(bytes)]), 'reader.tar')
  return form
}

async function addedTask({ done, park }: Ground, options: Record<string, string> = {}): Promise<Json> {
  await park.device({ type: 4 })
  const made = packageOf({ type: '0', ...options })
  const { id } = await done('biz', 'POST', '/device/upgrade/add', formOf(made))
  const { versionNumber, content, md5 } = made.fields
  return { id, versionNumber, content, md5 }
}

async function savedVersion({ done }: Ground, options: Record<string, string> = {}): Promise<Json> {
  const made = packageOf({ apkName: 'org.example.reader', updateType: '1', ...options })
  const { id } = await done('biz', 'POST', '/device/app/version/save', formOf(made))
  return { ...made.fields, id, updateType: Number(made.fields['updateType']) }
}

const allVersions = ({ done }: Ground) => done<Json[]>('biz', 'GET', '/device/app/version/list/all')
const versionOf = async (ground: Ground, id: unknown) => (await allVersions(ground)).find((version) => version['id'] === id)

export const deviceUpgradeCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-251',
    service: 'biz',
    method: 'POST',
    path: '/device/upgrade/add',
    does: 'adds an upgrade from version number, content, type, MD5 and file; refuses a wrong MD5 and a version that is no number',
    async holds(ground) {
      const task = await addedTask(ground, { content: 'New firmware', type: '1' })
      expect(await ground.done('biz', 'GET', `/device/upgrade?id=${String(task['id'])}`)).toMatchObject({
        ...task,
        content: 'New firmware',
        type: 1,
        file: 'reader.tar',
      })
      const mistakes: Record<string, string>[] = [{ md5: '0'.repeat(32) }, { versionNumber: '1.2' }]
      for (const wrong of mistakes)
        expect(await ground.ask('biz', 'POST', '/device/upgrade/add', formOf(packageOf({ type: '0', ...wrong })))).toMatchObject({
          status: 400,
        })
    },
  },
  {
    id: 'CALL-252',
    service: 'biz',
    method: 'GET',
    path: '/device/upgrade/list',
    does: 'lists upgrades in pages, the newest first',
    async holds(ground) {
      const [older, newer] = [await addedTask(ground), await addedTask(ground)]
      const [first, ...others] = await ground.listed('biz', 'GET', '/device/upgrade/list?page=1&size=1')
      expect(others).toEqual([])
      bears(first!, 'UpgradeTask')
      expect(first).toMatchObject({ ...newer, type: 0, status: 'inProgress' })
      // The newer one has replaced it.
      const listed = await ground.listed('biz', 'GET', '/device/upgrade/list')
      expect(listed.find(({ id }) => id === older['id'])).toMatchObject({ ...older, status: 'failed' })
    },
  },
  {
    id: 'CALL-253',
    service: 'biz',
    method: 'GET',
    path: '/device/upgrade',
    does: 'reads one upgrade; another park does not see it',
    async holds(ground) {
      const task = await addedTask(ground)
      const path = `/device/upgrade?id=${String(task['id'])}`
      const read = await ground.done('biz', 'GET', path)
      bears(read, 'UpgradeTask')
      expect(read).toMatchObject({ ...task, kind: 'device', type: 0, status: 'inProgress' })
      expect((await (await ground.elsewhere()).ask('biz', 'GET', path)).status).toBe(404)
    },
  },
  {
    id: 'CALL-254',
    service: 'biz',
    method: 'GET',
    path: '/device/app/version/list',
    does: 'lists versions in pages, the newest first',
    async holds(ground) {
      const [older, newer] = [await savedVersion(ground), await savedVersion(ground)]
      expect(await ground.listed('biz', 'GET', '/device/app/version/list?page=1&size=1')).toMatchObject([newer])
      const found = (await ground.listed('biz', 'GET', '/device/app/version/list?page=1&size=100')).find(({ id }) => id === older['id'])!
      bears(found, 'AppVersion')
      expect(found).toMatchObject(older)
    },
  },
  {
    id: 'CALL-255',
    service: 'biz',
    method: 'GET',
    path: '/device/app/version/list/all',
    does: 'names all versions at once',
    async holds(ground) {
      const made = [await savedVersion(ground), await savedVersion(ground, { updateType: '0', apkName: 'org.example.other' })]
      const all = await allVersions(ground)
      for (const version of made) expect(all).toContainEqual(expect.objectContaining(version))
      for (const version of all) bears(version, 'AppVersion')
    },
  },
  {
    id: 'CALL-256',
    service: 'biz',
    method: 'GET',
    path: '/device/app/version/delete',
    does: 'deletes a version, and no other',
    async holds(ground) {
      const [gone, kept] = [await savedVersion(ground), await savedVersion(ground)]
      await ground.done('biz', 'GET', `/device/app/version/delete?id=${String(gone['id'])}`)
      expect(await versionOf(ground, gone['id'])).toBeUndefined()
      expect(await versionOf(ground, kept['id'])).toBeDefined()
      expect((await ground.ask('biz', 'GET', `/device/app/version/delete?id=${String(gone['id'])}`)).status).toBe(404)
    },
  },
  {
    id: 'CALL-257',
    service: 'biz',
    method: 'POST',
    path: '/device/app/version/save',
    does: 'keeps a version with its package, from which an upgrade is made; refuses a wrong MD5',
    async holds(ground) {
      const version = await savedVersion(ground, { content: 'Second reader' })
      expect(await versionOf(ground, version['id'])).toMatchObject({ ...version, content: 'Second reader', file: 'reader.tar' })
      await ground.park.device({ type: 4 })
      const { id } = await ground.done('biz', 'POST', '/device/upgrade/add', { versionId: version['id'], deviceTypes: [4] })
      expect(await ground.done('biz', 'GET', `/device/upgrade?id=${String(id)}`)).toMatchObject({
        versionNumber: version['versionNumber'],
        md5: version['md5'],
        type: 1,
      })
      const wrong = packageOf({ md5: 'f'.repeat(32) })
      expect(await ground.ask('biz', 'POST', '/device/app/version/save', formOf(wrong))).toMatchObject({ status: 400 })
    },
  },
]
