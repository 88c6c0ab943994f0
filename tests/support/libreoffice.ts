/** Spreadsheets as LibreOffice, an independent program, reads them. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PROGRAM = 'soffice'
/** Milliseconds: its first start creates a profile, which takes long on a busy machine. */
const PATIENCE = 120_000
/** Comma-separated, quoted, UTF-8, as the cells are shown. */
const CSV_OUT = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true'
/** Maximum number of columns of a file. Each is imported as text: by default, the importer reads 007 as a number. */
const COLUMNS = 40
const CSV_IN = `CSV:44,34,76,1,${Array.from({ length: COLUMNS }, (_, column) => `${column + 1}/2`).join('/')}`

/** Why tests with it are skipped; null where they run. */
export const libreOfficeMissing: string | null =
  spawnSync(PROGRAM, ['--version'], { stdio: 'ignore' }).status === 0
    ? null
    : 'LibreOffice is not installed (Debian: apt-get install libreoffice-calc-nogui)'

/** Return the cells of the first sheet, as text. @param kind extension of the file, which decides how it is read */
export function cellsInLibreOffice(file: Buffer, kind: 'xlsx' | 'csv'): string[][] {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sheet-'))
  try {
    const path = join(folder, `sheet.${kind}`)
    writeFileSync(path, file)
    const reads = kind === 'csv' ? [`--infilter=${CSV_IN}`] : []
    const command = [
      `-env:UserInstallation=file://${join(folder, 'profile')}`,
      '--headless',
      ...reads,
      '--convert-to',
      CSV_OUT,
      '--outdir',
      join(folder, 'out'),
      path,
    ]
    execFileSync(PROGRAM, command, { stdio: 'ignore', timeout: PATIENCE })
    return rowsOf(readFileSync(join(folder, 'out', 'sheet.csv'), 'utf8'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Parse cells in quotes, or without quotes where they need none. */
function rowsOf(text: string): string[][] {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n(?=(?:[^"]*"[^"]*")*[^"]*$)/)
  return lines.map((line) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? ''),
  )
}
