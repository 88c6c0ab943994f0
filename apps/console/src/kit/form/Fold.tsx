/** Fields of a form that are seldom needed, behind their heading. It opens by itself where one of them has a value or is refused. */
import { RightOutlined } from '@ant-design/icons'
import { Form } from 'antd'
import { useId, useState, type ReactNode } from 'react'
import styles from './form.module.css'

interface FoldProps {
  title: string
  /** Summary of the fields in a few words. */
  hint: string
  /** Names of the fields within, or the first part of their paths. */
  names: readonly string[]
  children: ReactNode
}

const holdsSomething = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== ''

export function Fold({ title, hint, names, children }: FoldProps) {
  const id = useId()
  const form = Form.useFormInstance<Record<string, unknown>>()
  // Read once: later input must not open or close the section while the user types.
  const [open, setOpen] = useState(() => names.some((name) => holdsSomething(form.getFieldValue(name))))
  const refused = (): boolean => form.getFieldsError().some(({ name, errors }) => errors.length > 0 && names.includes(String(name[0])))
  return (
    <Form.Item noStyle shouldUpdate>
      {() => {
        const shown = open || refused()
        return (
          <section className={styles.fold}>
            <button type="button" aria-expanded={shown} aria-controls={id} onClick={() => setOpen(!shown)}>
              <RightOutlined rotate={shown ? 90 : 0} />
              <b>{title}</b>
              {!shown && <small>{hint}</small>}
            </button>
            {/* Always mounted, so that a refused field inside can be found. */}
            <div id={id} hidden={!shown}>
              {children}
            </div>
          </section>
        )
      }}
    </Form.Item>
  )
}
