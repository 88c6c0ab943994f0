import { dictionaryCalls } from '@gatehouse/contract/system/dictionary'
import { handler, type MountedCall, type Platform } from '../../platform/context.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { Settings } from '../organisation/index.ts'
import { createDictionary } from './dictionary.ts'

export function dictionaryHandlers({ parsing }: Pick<Platform, 'parsing'>, settings: Settings): MountedCall[] {
  const dictionary = createDictionary(settings, parsing)
  return [
    handler(dictionaryCalls.read, async () => dictionary.read()),
    handler(dictionaryCalls.change, ({ body }) => dictionary.change(body.labels, body.version)),
    handler(dictionaryCalls.export, async () => dictionary.exported()),
    handler(dictionaryCalls.import, async ({ file }) => {
      if (file === null) throw new InvalidRequest([{ path: 'file', rule: 'required' }])
      return { changed: await dictionary.imported(file) }
    }),
  ]
}
