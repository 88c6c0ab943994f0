/**
 * `node apps/terminal/src/upgrade/setup.ts FOLDER PACKAGE.tar --key PUBLIC.pem` creates an installation that upgrades itself, with packages
 * signed by that key and no others. Without a package it replaces the key of an existing installation.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createInstallation } from './installation.ts'
import { POINTER_FILE } from './pointer.ts'
import { fingerprintOf, keysOf, trust } from './trust.ts'

const USAGE = `Usage: node setup.ts FOLDER PACKAGE.tar --key PUBLIC.pem   make an installation
       node setup.ts FOLDER --key PUBLIC.pem               give an installation another key
`

const fail = (sentence: string): never => {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

const { values, positionals } = parseArgs({ options: { key: { type: 'string' } }, allowPositionals: true })
const [folder, path] = positionals
if (folder === undefined || values.key === undefined || positionals.length > 2) fail(USAGE)
const root = resolve(folder!)
try {
  const pem = readFileSync(values.key!, 'utf8')
  if (path !== undefined) await createInstallation(root, resolve(path), pem)
  else if (existsSync(join(root, POINTER_FILE))) trust(root, pem)
  else fail(`${root} is no installation: name its first package too.\n${USAGE}`)
  for (const key of keysOf(pem)) process.stdout.write(`Packages signed by the key ${fingerprintOf(key)} are taken.\n`)
} catch (error) {
  fail((error as Error).message)
}
if (path !== undefined)
  process.stdout.write(`Start it with: node ${root}/launcher.ts --server http://HOST:8080 --code CODE --secret-file FILE\n`)
