/** Forms that send passwords: passwords are encrypted before they are sent, refused fields are marked, other refusals are one sentence. */
import type { FormInstance } from 'antd'
import { useState } from 'react'
import { Refusal, sentenceOfIssue } from '../../api/refusal.ts'
import { loginSentence } from '../login/loginSentence.ts'

export interface Sending {
  busy: boolean
  /** The refusal that belongs to no field. */
  failure: string | undefined
  /**
   * Runs `work`, and resolves to whether it succeeded.
   * @param place shows a refusal in a place of its own, and returns whether it did
   */
  send: (work: () => Promise<void>, place?: (refusal: Refusal) => boolean) => Promise<boolean>
}

export function useSending(form: FormInstance): Sending {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  function show(refusal: Refusal): void {
    const fieldNames = new Set((form.getFieldsError() as { name: (string | number)[] }[]).map(({ name }) => String(name[0])))
    const marked = refusal.fields.filter(({ path }) => fieldNames.has(path))
    if (marked.length === 0) return setFailure(loginSentence(refusal))
    const sentence = (issue: (typeof marked)[number]): string =>
      refusal.family === 'business' ? loginSentence(refusal) : sentenceOfIssue(issue)
    form.setFields(marked.map((issue) => ({ name: issue.path, errors: [sentence(issue)] })))
    form.getFieldInstance(marked[0]!.path)?.focus?.()
  }

  return {
    busy,
    failure,
    async send(work, place = () => false) {
      setBusy(true)
      setFailure(undefined)
      try {
        await work()
        return true
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        // The user cancelled the password that the call asks for: the form stays as it is.
        if (!error.cancelled && !place(error)) show(error)
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}
