/** A form in a dialog over the list it belongs to. Open it with `useEditor`; key it by `editor.openingCount`. */
import { Modal } from 'antd'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { modal } from '../feedback.tsx'
import { FormBody } from './FormBody.tsx'
import type { AnyCall } from '../../api/http.ts'
import type { Loaded } from './loaded.ts'
import { useContractForm, type ContractFormOptions } from './useContractForm.ts'

interface FormDialogProps<C extends AnyCall, Values extends object> extends Omit<ContractFormOptions<C>, 'onDone' | 'once'> {
  editor: { open: boolean; close: () => void }
  title: string
  /** Label of the button where it does more than save. */
  submit?: string
  /** Initial values of the fields, loaded or still loading. */
  initial: Loaded<Values>
  onDone?: ContractFormOptions<C>['onDone']
  /** Pixels. */
  width?: number
  /** `<Form.Item name>`s with the names of the call's body. */
  children: ReactNode
}

export function FormDialog<C extends AnyCall, Values extends object>({
  editor,
  title,
  submit,
  initial,
  width = 640,
  children,
  onDone,
  ...options
}: FormDialogProps<C, Values>) {
  const { t } = useTranslation()
  const id = useId()
  const inside = useRef<HTMLDivElement>(null)
  const contract = useContractForm<C, Values>({
    ...options,
    once: true,
    onDone: (answer) => {
      editor.close()
      onDone?.(answer)
    },
  })

  const [opened, setOpened] = useState(false)
  const isReady = initial.status === 'ready'
  // The values may arrive after the dialog has opened, or before where it opens without an animation.
  useEffect(() => {
    if (opened && isReady && inside.current) firstField(inside.current)?.focus()
  }, [opened, isReady])

  function leave(): void {
    const close = (): void => {
      contract.discard()
      editor.close()
    }
    if (!contract.dirty) return close()
    modal.confirm({
      title: t('form.discardTitle'),
      content: t('form.discardWords'),
      okText: t('form.discard'),
      okButtonProps: { danger: true },
      cancelText: t('form.keepEditing'),
      onOk: close,
    })
  }

  return (
    <Modal
      open={editor.open}
      title={title}
      width={width}
      centered
      destroyOnHidden
      mask={{ closable: false }}
      // Long forms scroll inside, so that the buttons are always visible.
      styles={{ body: { maxHeight: 'calc(100vh - 190px)', overflow: 'hidden auto', margin: '0 -24px', padding: '0 24px' } }}
      okText={submit ?? t('save')}
      cancelText={t('cancel')}
      okButtonProps={{ htmlType: 'submit', form: id, disabled: !isReady }}
      confirmLoading={contract.pending}
      onCancel={leave}
      afterOpenChange={setOpened}
    >
      <div ref={inside}>
        <FormBody id={id} initial={initial} contract={contract}>
          {children}
        </FormBody>
      </div>
    </Modal>
  )
}

/** Return a field to type into, in preference to one to choose from: a choice above the fields does not get the focus first. */
const firstField = (within: HTMLElement): HTMLElement | null =>
  within.querySelector<HTMLElement>('input:not([type="file"], [type="radio"], [type="checkbox"]), textarea') ??
  within.querySelector<HTMLElement>('input:not([type="file"])')
