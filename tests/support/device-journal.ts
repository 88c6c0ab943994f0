/** What a device recorded, written line by line to a file of its own: on the disk before it counts. */
import { existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'

export interface DeviceJournal {
  /** Write a record, unless it is in the journal already. */
  record(id: string): void
  /** Write that the picture of a record was taken. */
  picture(id: string): void
  records(): number
  pictures(): number
}

export interface Journalled {
  records: Set<string>
  pictures: Set<string>
}

const LINE = /^([rp]) ([0-9a-f-]{36})$/

/** Read a journal; an incomplete last line is ignored. */
export function readJournal(file: string): Journalled {
  const read: Journalled = { records: new Set(), pictures: new Set() }
  if (!existsSync(file)) return read
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, kind, id] = LINE.exec(line) ?? []
    if (id !== undefined) (kind === 'r' ? read.records : read.pictures).add(id)
  }
  return read
}

/** Open a journal to append to it. */
export function openJournal(file: string): DeviceJournal {
  const { records, pictures } = readJournal(file)
  const handle = openSync(file, 'a')
  // Terminates a line that was cut short.
  writeSync(handle, '\n')

  function note(kind: 'r' | 'p', known: Set<string>, id: string): void {
    if (known.has(id)) return
    writeSync(handle, `${kind} ${id}\n`)
    fsyncSync(handle)
    known.add(id)
  }
  return {
    record: (id) => note('r', records, id),
    picture: (id) => note('p', pictures, id),
    records: () => records.size,
    pictures: () => pictures.size,
  }
}
