/** Why there is no answer, where the question is what is wrong: a moment before history, a door that was deleted. */
import { Alert } from 'antd'
import { Refusal, sentenceOfIssue } from '../../api/refusal.ts'

/** What is wrong with the question; undefined where it is answered, or was not understood for another reason. */
export function refusedOf(error: unknown): string | undefined {
  const [issue] = error instanceof Refusal ? error.fields : []
  return issue && sentenceOfIssue(issue)
}

export const Refused = ({ words }: { words: string }) => <Alert type="warning" showIcon role="alert" title={words} />
