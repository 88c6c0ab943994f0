/** The product and the packages it consists of, with their licences, read from the installed packages. */
import { readFile, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'

export interface Licence {
  name: string
  version: string
  licence: string
  /** Text of the licence as the package contains it; empty where it contains none. */
  text: string
}

const ROOT = resolve(import.meta.dirname, '../../../../..')
const OWN = '@gatehouse/'
const TEXT_FILE = /^(licen[cs]e|copying)/i

interface Manifest {
  name?: string
  version?: string
  license?: string | { type?: string }
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const manifestOf = async (folder: string): Promise<Manifest | null> => {
  try {
    return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest
  } catch {
    // Some packages are installed on some kinds of machine only.
    return null
  }
}

async function licenceOf(name: string): Promise<Licence | null> {
  const folder = join(ROOT, 'node_modules', name)
  const manifest = await manifestOf(folder)
  if (manifest === null) return null
  const file = (await readdir(folder)).find((one) => TEXT_FILE.test(one))
  const text = file === undefined ? '' : await readFile(join(folder, file), 'utf8').catch(() => '')
  const { license } = manifest
  return { name, version: manifest.version ?? '', licence: (typeof license === 'object' ? license.type : license) ?? '', text }
}

/** Return the version of the product. */
export const productVersion = async (): Promise<string> => (await manifestOf(ROOT))?.version ?? ''

/** Return the product itself, then the packages that its programs need to run, by name. */
export async function readLicences(): Promise<Licence[]> {
  const folders = await Promise.all(
    ['apps', 'packages'].map(async (parent) => (await readdir(join(ROOT, parent))).map((name) => join(ROOT, parent, name))),
  )
  const manifests = await Promise.all(folders.flat().map(manifestOf))
  const names = manifests
    .flatMap((manifest) => Object.keys({ ...manifest?.dependencies, ...manifest?.optionalDependencies }))
    .filter((name) => !name.startsWith(OWN))
  const parts = await Promise.all([...new Set(names)].toSorted().map(licenceOf))
  const own = await manifestOf(ROOT)
  const text = await readFile(join(ROOT, 'LICENSE'), 'utf8').catch(() => '')
  const { license } = own ?? {}
  return [
    { name: 'gatehouse', version: own?.version ?? '', licence: typeof license === 'string' ? license : '', text },
    ...parts.filter((part) => part !== null),
  ]
}
