/** The files of a drop: folders among them are gone through to the last level. */

/** Must be asked while the drop is handled: afterwards the browser has forgotten what was dropped. */
export function droppedFiles({ items, files }: DataTransfer): Promise<File[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? [])
  if (entries.length === 0) return Promise.resolve([...files])
  return Promise.all(entries.map(filesOf)).then((found) => found.flat())
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  // One that cannot be read, such as a broken link, stops none of the others.
  if (entry.isFile)
    return new Promise((resolve) =>
      (entry as FileSystemFileEntry).file(
        (file) => resolve([file]),
        () => resolve([]),
      ),
    )
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: File[] = []
  // A folder is read in portions; an empty one is its end.
  for (let portion = await portionOf(reader); portion.length > 0; portion = await portionOf(reader)) {
    for (const child of portion) found.push(...(await filesOf(child)))
  }
  return found
}

const portionOf = (reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> =>
  new Promise((resolve) => reader.readEntries(resolve, () => resolve([])))
