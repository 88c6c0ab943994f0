/** Parser of voice prompts: checks whether terminals can play them. */
import type { FieldIssue } from '@gatehouse/contract'
import type { Steps } from '../../platform/documents/parser.ts'
import type { ReadableFile } from '../../platform/http/received-file.ts'
import { faultOfMp3 } from './mp3.ts'

export async function* parse(
  file: ReadableFile,
  _options: object,
  steps: Steps,
): AsyncGenerator<{ fault: Pick<FieldIssue, 'rule' | 'params'> | null }> {
  steps.spend(file.size)
  yield { fault: faultOfMp3(await file.read(0, file.size)) }
}
