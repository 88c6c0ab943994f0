/** The browser of the browser tests: the one `CHROMIUM` names, else the one installed by npm, else the system's. */
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { chromium, type Browser, type LaunchOptions } from 'playwright-core'
import { patient } from './patience.ts'
import { notingSentKeys } from './sent-keys.ts'
import { pace, slowDown } from './slowness.ts'

export interface ChromiumProgram {
  executablePath: string
  /** Environment variables it needs in addition. */
  env: Record<string, string>
}

/** No request leaves the machine, and none is attempted: in a closed network, refusals would fill the log. */
const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const isPackagedFor = process.platform === 'linux' && process.arch === 'x64'
const FONT_LIST = 'gatehouse-fonts.conf'

/** Start a headless browser; `args` of the options are added to ours. The caller closes it. */
export async function launchChromium(options: LaunchOptions = {}, program?: ChromiumProgram): Promise<Browser> {
  const { executablePath, env } = program ?? (await usualChromium())
  const browser = await chromium.launch({
    ...options,
    executablePath,
    ...pace(),
    // The sandbox needs an account other than root.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [...FLAGS, ...(options.args ?? [])],
    env: { ...environment(), ...env, ...options.env },
  })
  return slowDown(notingSentKeys(patient(browser)))
}

/** The packaged browser is the same on every machine, and takes half the time of a desktop's, which draws for a display. */
async function usualChromium(): Promise<ChromiumProgram> {
  const named = process.env.CHROMIUM === undefined ? undefined : installedChromium()
  return named ?? (isPackagedFor ? packagedChromium() : (installedChromium() ?? packagedChromium()))
}

/** Return the browser `CHROMIUM` names, or that of Debian's package; undefined where there is neither. */
export function installedChromium(): ChromiumProgram | undefined {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
  return existsSync(executablePath) ? { executablePath, env: {} } : undefined
}

/** Return the Chromium of `@sparticuz/chromium`, unpacked at its first use to node_modules/.cache (211 MB, about two seconds). */
export async function packagedChromium(): Promise<ChromiumProgram> {
  if (!isPackagedFor) {
    throw new Error('The packaged Chromium is for Linux on x64 only: install a Chromium and name its program in CHROMIUM.')
  }
  const folder = await unpack()
  const executablePath = join(folder, 'chromium')
  const env: Record<string, string> = existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_FILE: join(folder, FONT_LIST) }
  const bundledLibraries = { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') }
  if (starts(executablePath, env)) return { executablePath, env }
  if (starts(executablePath, { ...env, ...bundledLibraries })) return { executablePath, env: { ...env, ...bundledLibraries } }
  throw new Error('The packaged Chromium does not start on this system: install a Chromium and name its program in CHROMIUM.')
}

function starts(executablePath: string, env: Record<string, string>): boolean {
  return spawnSync(executablePath, ['--version'], { env: { ...environment(), ...env }, stdio: 'ignore' }).status === 0
}

function environment(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** Unpack beside the final place and rename, so that another process never finds an incomplete browser. */
async function unpack(): Promise<string> {
  const require = createRequire(import.meta.url)
  const packageRoot = dirname(dirname(require.resolve('@sparticuz/chromium')))
  const { version } = require(join(packageRoot, 'package.json')) as { version: string }
  const cache = join(dirname(dirname(packageRoot)), '.cache')
  const folder = join(cache, `chromium-${version}`)
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const unfinished = mkdtempSync(join(cache, 'chromium-unfinished-'))
  // The package unpacks to the folder for temporary files and includes its libraries only for that one platform.
  const script = `import chromium from '@sparticuz/chromium'; await chromium.executablePath()`
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: packageRoot,
    env: { ...process.env, TMPDIR: unfinished, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
  })
  // The package's own list names folders of that platform; a Chromium without any font crashes at its first page.
  writeFileSync(
    join(unfinished, FONT_LIST),
    `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/font-cache</cachedir></fontconfig>\n`,
  )
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}
