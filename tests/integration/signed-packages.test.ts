/**
 * Which packages an installation of the terminal accepts: packages of other senders never run, whether sent by an administrator of the
 * server or by an attacker on the network.
 */
import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { digestsOf, PACKAGE_KEY, packageOf, tarOf } from '@gatehouse/dev-env/packages'
import { installPackage } from '../../apps/terminal/src/upgrade/install.ts'
import { createInstallation, openInstallation } from '../../apps/terminal/src/upgrade/installation.ts'
import { readPointer } from '../../apps/terminal/src/upgrade/pointer.ts'
import { KEY_FILE, trust } from '../../apps/terminal/src/upgrade/trust.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { BROKEN, clientOf, installation, killed, workOn, WORKS } from '../support/terminal-installation.ts'
import { until } from '../support/until.ts'

/** The key of another installation. */
const STRANGER = generateKeyPairSync('ed25519').privateKey
const FILES = { 'main.mjs': WORKS('8') }
const MANIFEST = { versionNumber: '8', entry: 'main.mjs' }
const signed = packageOf(MANIFEST, FILES)
const signatureOfSigned = /[A-Za-z0-9+/]{86}==/.exec(signed.toString('latin1'))![0]

/** Manipulations of a package without the key, and the error for each. */
const FORGED: Record<string, [fault: string, bytes: Buffer]> = {
  'without a signature': ['signature', packageOf(MANIFEST, FILES, { signedBy: null })],
  'signed by somebody else': ['signature', packageOf(MANIFEST, FILES, { signedBy: STRANGER })],
  'with the signature of another one': [
    'signature',
    tarOf({
      'manifest.json': JSON.stringify({ ...MANIFEST, name: 'gatehouse-terminal', kind: 'client', files: digestsOf(FILES) }),
      'manifest.sig': signatureOfSigned.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
      ...FILES,
    }),
  ],
  'with a signature that is none': ['signature', tarOf({ 'manifest.json': '{}', 'manifest.sig': 'signed, honestly', ...FILES })],
  'with its signature behind a file': [
    'signature',
    packageOf(MANIFEST, { 'first.mjs': '', ...FILES, 'manifest.sig': signatureOfSigned }, { signedBy: null }),
  ],
  'with a file more than it names': [
    'packageInvalid',
    packageOf({ ...MANIFEST, files: digestsOf(FILES) }, { ...FILES, 'preload.mjs': BROKEN }),
  ],
  'with another manifest behind the signed one': [
    'packageInvalid',
    packageOf({ ...MANIFEST, files: digestsOf(FILES) }, { ...FILES, './manifest.json': '{}' }),
  ],
  'with a file twice': ['packageInvalid', packageOf({ ...MANIFEST, files: digestsOf(FILES) }, { ...FILES, './main.mjs': BROKEN })],
  'with a file less than it names': ['packageInvalid', packageOf({ ...MANIFEST, files: digestsOf({ ...FILES, more: '' }) }, FILES)],
  'with another content than it names': ['md5', packageOf({ ...MANIFEST, files: digestsOf(FILES) }, { 'main.mjs': BROKEN })],
  'that names no files': ['packageInvalid', packageOf({ ...MANIFEST, files: undefined as never }, FILES)],
}

test.each(Object.entries(FORGED))('a package %s is never put in place, from the server or from the console', async (_, [fault, bytes]) => {
  const { root, file } = await installation()
  const place = openInstallation(root, () => {})
  place.begin(workOn(bytes))
  place.append(bytes)
  const inspected = place.inspect().then(() => place.install())
  await expect(inspected).rejects.toMatchObject({ fault })
  expect(await installPackage(file(bytes), root, () => {})).toBe(fault === 'packageInvalid' ? 540 : 542)
  expect(readPointer(root)).toMatchObject({ client: { versionNumber: '7', previous: null }, trial: null })
  expect(readdirSync(join(root, 'client')).filter((name) => name !== '.unfinished')).toEqual(['7'])
})

test('what is put in place was judged as it is unpacked: a file that was exchanged in between changes nothing', async () => {
  for (const [fault, other] of [
    ['signature', packageOf(MANIFEST, { 'main.mjs': BROKEN }, { signedBy: STRANGER })],
    ['signature', packageOf(MANIFEST, { 'main.mjs': BROKEN }, { signedBy: null })],
    // A signed package that is not the requested one.
    ['mismatched', clientOf('9', WORKS('9'))],
  ] as const) {
    const { root, file, start, said } = await installation()
    const place = openInstallation(root, () => {})
    place.begin(workOn(signed))
    place.append(signed)
    await place.inspect()
    renameSync(file(other), join(root, 'incoming', 'package.tar'))
    await expect(place.install()).rejects.toMatchObject({ fault })
    const child = start()
    await until('a version to say its number', () => said().length > 0)
    expect(said()).toEqual(['7'])
    await killed(child)
  }
})

test('an installation without a key takes no package until it is given one; with two keys it takes those of both', async () => {
  const { root, file } = await installation()
  const place = openInstallation(root, () => {})
  for (const content of [null, 'no key', generateKeyPairSync('x25519').publicKey.export({ type: 'spki', format: 'pem' }).toString()]) {
    if (content === null) rmSync(join(root, KEY_FILE))
    else writeFileSync(join(root, KEY_FILE), content)
    expect(() => place.demandKey()).toThrow(expect.objectContaining({ fault: 'key' }))
    expect(await installPackage(file(signed), root, () => {})).toBe(527)
  }
  expect(() => trust(root, STRANGER.export({ type: 'pkcs8', format: 'pem' }).toString())).toThrow('no public key')
  const theirs = generateKeyPairSync('ed25519')
  trust(root, theirs.publicKey.export({ type: 'spki', format: 'pem' }) + PACKAGE_KEY)
  expect(await installPackage(file(packageOf(MANIFEST, FILES, { signedBy: STRANGER })), root, () => {})).toBe(542)
  expect(
    await installPackage(
      file(packageOf({ kind: 'algorithm', versionNumber: '3' }, { 'models/model.json': '{}' }, { signedBy: theirs.privateKey })),
      root,
      () => {},
    ),
  ).toBe(201)
  expect(readPointer(root)).toMatchObject({ client: { versionNumber: '7' }, algorithm: { versionNumber: '3' } })
})

test('an installation begins with a package that is signed by the key it is given', async () => {
  const root = join(scratchFolder(), 'terminal')
  mkdirSync(root)
  const path = join(root, 'first.tar')
  writeFileSync(path, clientOf('7', WORKS('7')))
  const other = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString()
  await expect(createInstallation(root, path, other)).rejects.toMatchObject({ fault: 'signature' })
  await expect(createInstallation(root, path, 'no key')).rejects.toThrow('no public key')
  expect(readdirSync(root)).toEqual(['first.tar'])
})
