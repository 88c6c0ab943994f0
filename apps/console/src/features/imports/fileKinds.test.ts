import { expect, test } from 'vitest'
import { fileIssueOf, isLitter, kindOf, picturesIn } from './fileKinds.ts'

/** Return a file that has a size but no bytes. */
function sized(name: string, size: number): File {
  const file = new File([], name)
  Object.defineProperty(file, 'size', { value: size })
  return file
}
/** Return a zip that consists of its list of contents alone, the only part that is read. */
function zipOf(names: readonly string[]): File {
  const entries = names.map((name) => {
    const path = Buffer.from(name)
    const head = Buffer.alloc(46)
    head.writeUInt32LE(0x02014b50, 0)
    head.writeUInt16LE(path.length, 28)
    return Buffer.concat([head, path])
  })
  const list = Buffer.concat(entries)
  const comment = Buffer.from('from the photographer')
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(names.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(7, 16)
  end.writeUInt16LE(comment.length, 20)
  return new File([Buffer.concat([Buffer.from('picture'), list, end, comment])], 'photos.zip')
}
const MB = 1_048_576

test('a spreadsheet of more than 50 MB is not sent [VAL-216]', async () => {
  expect(await fileIssueOf(sized('people.xlsx', 50 * MB))).toBeNull()
  expect(await fileIssueOf(sized('people.xlsx', 50 * MB + 1))).toEqual({ why: 'tooLarge', kind: 'sheet', limitMb: 50 })
  expect(await fileIssueOf(sized('people.csv', 51 * MB))).toMatchObject({ why: 'tooLarge' })
})

test('a zip of more than 300 MB is not sent [VAL-217]', async () => {
  expect(await fileIssueOf(sized('photos.zip', 300 * MB + 1))).toEqual({ why: 'tooLarge', kind: 'zip', limitMb: 300 })
})

test('a zip of more than 1,000 pictures is not sent; what is no picture does not count [VAL-224]', async () => {
  const names = Array.from({ length: 1000 }, (_, at) => `照片/${at}.jpg`)
  const full = zipOf([...names, 'read me.txt', '__MACOSX/照片/._1.jpg', '照片/.hidden.jpg'])
  expect(await picturesIn(full)).toBe(1000)
  expect(await fileIssueOf(full)).toBeNull()
  expect(await fileIssueOf(zipOf([...names, 'one more.PNG']))).toEqual({ why: 'tooMany', count: 1001, limit: 1000 })
})

test('what is no zip inside is left to the server', async () => {
  expect(await picturesIn(new Blob(['nothing of the kind']))).toBeNull()
  expect(await fileIssueOf(new File(['nothing of the kind'], 'photos.zip'))).toBeNull()
})

test('kinds are told by the ending, old sheets and camera formats are named, and what systems leave behind is litter', async () => {
  expect(['1001.JPG', 'people.xlsx', 'people.csv', 'all.zip', 'notes.txt'].map(kindOf)).toEqual([
    'picture',
    'sheet',
    'sheet',
    'zip',
    undefined,
  ])
  const issues = await Promise.all(['people.xls', 'IMG_1.HEIC', 'notes.txt'].map((name) => fileIssueOf(sized(name, 5))))
  expect(issues.map((issue) => issue?.why)).toEqual(['oldSheet', 'otherPicture', 'unknown'])
  expect(await fileIssueOf(sized('1001.jpg', 0))).toEqual({ why: 'empty' })
  expect(['.DS_Store', 'Thumbs.db', '~$people.xlsx', '1001.jpg'].map(isLitter)).toEqual([true, true, true, false])
})
