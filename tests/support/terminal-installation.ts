/** Installations of the terminal that upgrade themselves, with programs so small that they need no downloads. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { PackageManifest } from '@gatehouse/contract/upgrades/package'
import { PACKAGE_KEY, packageOf } from '@gatehouse/dev-env/packages'
import { installPackage } from '../../apps/terminal/src/upgrade/install.ts'
import { createInstallation } from '../../apps/terminal/src/upgrade/installation.ts'
import { scratchFolder } from './scratch-folder.ts'

/** A program that writes its number and reports that it is ready; runs until it is ended. */
export const WORKS = (number: string) => `import { appendFileSync } from 'node:fs'
appendFileSync(process.env.SAID, ${JSON.stringify(`${number}\n`)})
process.on('disconnect', () => process.exit(0))
process.send({ ready: true })
setInterval(() => {}, 1000)`
/** A program that ends at once. */
export const BROKEN = "import { appendFileSync } from 'node:fs'\nappendFileSync(process.env.SAID, 'broken\\n')\nprocess.exit(1)"
/** A program that never reports that it is ready. */
export const SILENT =
  "import { appendFileSync } from 'node:fs'\nappendFileSync(process.env.SAID, 'silent\\n')\nprocess.on('disconnect', () => " +
  'process.exit(0))\nsetInterval(() => {}, 1000)'

interface Installation {
  root: string
  /** Write a package beside the installation. */
  file(bytes: Buffer): string
  /** Install a version, which must succeed. */
  puts(versionNumber: string, program: string): Promise<void>
  /** Start the launcher. */
  start(readyWithinMs?: number): ChildProcess
  /** Return what its programs have written, in order. */
  said(): string[]
}

/** Create an installation that runs version 7. */
export async function installation(): Promise<Installation> {
  const folder = scratchFolder()
  const root = join(folder, 'terminal')
  mkdirSync(root)
  const said = join(folder, 'said')
  writeFileSync(said, '')
  let files = 0
  const file = (bytes: Buffer): string => {
    const path = join(folder, `${++files}.tar`)
    writeFileSync(path, bytes)
    return path
  }
  await createInstallation(root, file(clientOf('7', WORKS('7'))), PACKAGE_KEY)
  return {
    root,
    file,
    async puts(versionNumber, program) {
      expect(await installPackage(file(clientOf(versionNumber, program)), root, () => {})).toBe(201)
    },
    start(readyWithinMs = 20_000) {
      const child = spawn(process.execPath, [join(root, 'launcher.ts')], {
        env: { ...process.env, SAID: said, READY_WITHIN_MS: String(readyWithinMs) },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      onTestFinished(() => void child.kill('SIGKILL'))
      return child
    },
    said: () => readFileSync(said, 'utf8').split('\n').filter(Boolean),
  }
}

export const clientOf = (versionNumber: string, program: string, manifest: Partial<PackageManifest> = {}) =>
  packageOf({ versionNumber, entry: 'main.mjs', ...manifest }, { 'main.mjs': program })
export const killed = async (child: ChildProcess) => {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Return the work that an upgrade of the terminal receives. */
export const workOn = (bytes: Buffer, versionNumber = '8') =>
  ({
    id: 'task',
    attempt: 2,
    kind: 'client',
    apkName: '',
    versionNumber,
    content: '',
    type: 1,
    size: bytes.length,
    md5: '',
    sha256: '',
    state: 'inProgress',
  }) as const
