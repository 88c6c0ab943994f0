/** Sends a trial message, and shows what became of it in its place. */
import { Modal } from 'antd'
import { useId, useState, type ReactNode } from 'react'
import type { AnswerOf, AnyCall } from '../../api/http.ts'
import { FormBody } from './FormBody.tsx'
import { ready } from './loaded.ts'
import { useContractForm, type ContractFormOptions } from './useContractForm.ts'

interface TrialDialogProps<C extends AnyCall, Values extends object> extends Pick<ContractFormOptions<C>, 'call' | 'hidden' | 'draft'> {
  initial: Values
  texts: { title: string; send: string; close: string }
  close: () => void
  /** Return what is said of an outcome. */
  outcomeOf: (answer: AnswerOf<C>) => ReactNode
  /** The fields. */
  children: ReactNode
}

export function TrialDialog<C extends AnyCall, Values extends object>({
  initial,
  texts,
  close,
  outcomeOf,
  children,
  ...options
}: TrialDialogProps<C, Values>) {
  const id = useId()
  const [outcome, setOutcome] = useState<AnswerOf<C>>()
  const contract = useContractForm<C, Values>({ ...options, done: '', onDone: setOutcome })
  const leave = (): void => {
    contract.discard()
    close()
  }
  return (
    <Modal
      open
      centered
      width={460}
      title={texts.title}
      okText={texts.send}
      cancelText={texts.close}
      okButtonProps={{ htmlType: 'submit', form: id }}
      confirmLoading={contract.pending}
      onCancel={leave}
    >
      <FormBody id={id} initial={ready(initial)} contract={contract}>
        {children}
      </FormBody>
      <div role="status">{outcome !== undefined && outcomeOf(outcome)}</div>
    </Modal>
  )
}
