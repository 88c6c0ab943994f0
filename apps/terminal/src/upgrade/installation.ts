/** An installation on the disk: what `pointer.ts` says of it, what is fetched for it, and how a package becomes a version of it. */
import { createHash } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { DeviceUpgrade } from '@gatehouse/contract/upgrades/calls'
import { isHigher, TERMINAL_PACKAGE, type PackageManifest, type UpgradeKind } from '@gatehouse/contract/upgrades/package'
import type { UpgradePlace } from './place.ts'
import {
  onTrial,
  POINTER_FILE,
  readPointer,
  replaceFile,
  syncFolder,
  writePointer,
  type InstalledKind,
  type TaskReference,
} from './pointer.ts'
import { PackageRefused } from './refused.ts'
import { keysOf, trust, trustedKeys } from './trust.ts'
import { withPackage, type Package } from './unpack.ts'

const INCOMING = 'incoming'
const WORK_FILE = 'task.json'
const FETCHED_FILE = 'package.tar'
const UNFINISHED = '.unfinished'

/** Moments of putting a version in place, for tests that cut the power in them. */
export type InstallMoment = 'emptied' | 'unpacked' | 'named' | 'pointed'

export interface InstallOptions {
  task: TaskReference
  /** What the package is to be; anything may be put in place where somebody at the terminal hands it in. */
  expected?: Pick<DeviceUpgrade, 'kind' | 'versionNumber'>
  onMoment?: (moment: InstallMoment) => void
}

/** Platform as packages name it. */
const hardware = (): string => `${process.platform}-${process.arch}`

const runningAt = (root: string, kind: UpgradeKind): string => (kind === 'device' ? '' : (readPointer(root)[kind]?.versionNumber ?? ''))

/** Whether a package may be put over what runs. @throws PackageRefused */
function judge(
  root: string,
  { name, kind, versionNumber, minimumBase, hardware: platforms }: PackageManifest,
  expected?: InstallOptions['expected'],
): InstalledKind {
  if (name !== TERMINAL_PACKAGE || kind === 'device')
    throw new PackageRefused('mismatched', `The package is one of "${name}" (${kind}), for other devices.`)
  if (platforms !== undefined && !platforms.includes(hardware()))
    throw new PackageRefused('hardware', `The package runs on ${platforms.join(', ')}, and this is ${hardware()}.`)
  if (expected !== undefined && (kind !== expected.kind || BigInt(versionNumber) !== BigInt(expected.versionNumber)))
    throw new PackageRefused(
      'mismatched',
      `The package is ${kind} ${versionNumber}, and ${expected.kind} ${expected.versionNumber} was expected.`,
    )
  const running = runningAt(root, kind)
  if (isHigher(versionNumber, running) === false)
    throw new PackageRefused(
      kind === 'algorithm' ? 'modelsNotHigher' : 'notHigher',
      `Version ${running} runs, and the package is ${versionNumber}.`,
    )
  if (minimumBase !== undefined && (running === '' || isHigher(minimumBase, running) === true))
    throw new PackageRefused('baseTooLow', `The package needs version ${minimumBase}, and ${running || 'none'} runs.`)
  return kind
}

/**
 * Puts a package in place beside what runs, and points to it.
 * @throws PackageRefused, for a package of nobody who is trusted too, or what the disk says; what runs is left as it is
 */
export async function putInPlace(root: string, path: string, { task, expected, onMoment = () => {} }: InstallOptions): Promise<void> {
  await withPackage(path, trustedKeys(root), async (opened) => {
    const kind = judge(root, opened.manifest, expected)
    const folder = join(root, kind)
    const { versionNumber } = opened.manifest
    const pointer = readPointer(root)
    if (pointer.trial !== null) throw new PackageRefused('fault', 'The version that runs has not proven itself yet.')
    tidy(folder, [pointer[kind]?.versionNumber, pointer[kind]?.previous])
    onMoment('emptied')
    await unpackInto(folder, opened)
    onMoment('unpacked')
    renameSync(join(folder, UNFINISHED), join(folder, versionNumber))
    syncFolder(folder)
    onMoment('named')
    writePointer(root, onTrial(readPointer(root), kind, versionNumber, task))
    onMoment('pointed')
  })
}

async function unpackInto(folder: string, opened: Package): Promise<void> {
  const unfinished = join(folder, UNFINISHED)
  mkdirSync(unfinished, { recursive: true, mode: 0o755 })
  await opened.unpack(unfinished)
  syncFolder(folder)
}

/** Leaves only what runs and what is gone back to: the rest was broken off, or is too old. */
function tidy(folder: string, kept: readonly (string | null | undefined)[]): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) if (!kept.includes(name)) rmSync(join(folder, name), { recursive: true, force: true })
}

/**
 * Makes an installation of a first package: its folder is then started by `node launcher.ts`.
 * @param key public keys in PEM, of those whose packages it takes, the first one among them
 * @throws PackageRefused; Error where the folder is one already, or the key is none
 */
export async function createInstallation(root: string, path: string, key: string): Promise<void> {
  if (existsSync(join(root, POINTER_FILE))) throw new Error(`${root} is an installation already.`)
  await withPackage(path, keysOf(key), async (opened) => {
    const { name, kind, versionNumber } = opened.manifest
    if (name !== TERMINAL_PACKAGE || kind !== 'client')
      throw new PackageRefused('mismatched', 'An installation begins with a client package of this program.')
    const folder = join(root, 'client')
    tidy(folder, [])
    await unpackInto(folder, opened)
    renameSync(join(folder, UNFINISHED), join(folder, versionNumber))
    for (const file of ['launcher.ts', 'pointer.ts']) await copyFile(join(import.meta.dirname, file), join(root, file))
    replaceFile(root, 'package.json', '{"type":"module"}\n')
    trust(root, key)
    writePointer(root, { client: { versionNumber, previous: null }, algorithm: null, trial: null, outcome: null })
  })
}

/** The place of an installation's running program. @param restart ends it; the launcher starts what is pointed to */
export function openInstallation(root: string, restart: () => void, onMoment?: InstallOptions['onMoment']): UpgradePlace {
  const incoming = join(root, INCOMING)
  const fetchedFile = join(incoming, FETCHED_FILE)
  mkdirSync(incoming, { recursive: true, mode: 0o700 })
  let work = readWork(incoming)

  function end(): void {
    work = null
    for (const name of [WORK_FILE, FETCHED_FILE]) rmSync(join(incoming, name), { force: true })
    syncFolder(incoming)
  }

  return {
    running: (kind) => runningAt(root, kind),
    work: () => work,
    begin(next) {
      end()
      if (next === null) return
      replaceFile(incoming, WORK_FILE, JSON.stringify(next))
      work = next
    },
    fetched: () => statSync(fetchedFile, { throwIfNoEntry: false })?.size ?? 0,
    append(bytes) {
      const file = openSync(fetchedFile, 'a', 0o600)
      try {
        for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done)
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
    },
    async md5() {
      const digest = createHash('md5')
      await pipeline(createReadStream(fetchedFile), digest)
      return digest.digest('hex')
    },
    demandKey: () => void trustedKeys(root),
    inspect: () => withPackage(fetchedFile, trustedKeys(root), ({ manifest }) => void judge(root, manifest, work ?? undefined)),
    async install() {
      await putInPlace(root, fetchedFile, {
        task: work === null ? null : { id: work.id, attempt: work.attempt },
        ...(work !== null && { expected: work }),
        ...(onMoment && { onMoment }),
      })
      end()
    },
    restart,
    outcome() {
      const { outcome } = readPointer(root)
      if (outcome?.task == null) return null
      return { task: outcome.task, ready: outcome.ready, versionNumber: outcome.versionNumber }
    },
    told: () => writePointer(root, { ...readPointer(root), outcome: null }),
  }
}

/** What was begun before; null where that was broken off as it was written. */
function readWork(incoming: string): DeviceUpgrade | null {
  const file = join(incoming, WORK_FILE)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as DeviceUpgrade) : null
}
