/** `npm run signing-key -- FILE` makes a key, `npm run package -- FOLDER PACKAGE.tar --sign-key FILE` a package that is signed by it. */
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { makePackage } from './package.ts'
import { makeSigningKey, SigningRefused, signingKey } from './signing-key.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const say = (line: string): void => void process.stdout.write(`${line}\n`)

function makeKey(words: readonly string[]): void {
  const [path] = words
  if (path === undefined || words.length > 1) throw new SigningRefused('Usage: npm run signing-key -- FILE')
  const { privateFile, publicFile } = makeSigningKey(path, ROOT)
  say(`${privateFile} signs packages: keep it where only whoever makes packages can read it, and a copy in a safe place.`)
  say(`${publicFile} is given to each terminal: node apps/terminal/src/upgrade/setup.ts FOLDER PACKAGE.tar --key ${publicFile}`)
}

async function makeSigned(words: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args: words, options: { 'sign-key': { type: 'string' } }, allowPositionals: true })
  const [folder, target] = positionals
  const key = values['sign-key'] ?? process.env['SIGNING_KEY_FILE']
  if (folder === undefined || target === undefined || positionals.length > 2 || !key)
    throw new SigningRefused('Usage: npm run package -- FOLDER PACKAGE.tar --sign-key FILE   (or the variable SIGNING_KEY_FILE)')
  const { md5 } = await makePackage({ folder: resolve(folder), target: resolve(target), key: signingKey(key) })
  say(`${resolve(target)} is signed. Its MD5, which the console asks for: ${md5}`)
}

const [task, ...words] = process.argv.slice(2)
try {
  if (task === 'key') makeKey(words)
  else await makeSigned(words)
} catch (error) {
  process.stderr.write(`${error instanceof SigningRefused ? error.message : String(error instanceof Error ? error.stack : error)}\n`)
  process.exitCode = 1
}
