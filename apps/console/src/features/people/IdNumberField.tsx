/** The number of an ID, with a check whether it agrees with the name, as far as this installation can tell. */
import { Button, Form, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OutputOf } from '@gatehouse/contract'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { request } from '../../api/request.ts'
import type { Status } from '../../theme/tokens.ts'
import styles from './people.module.css'

interface IdNumberFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string | null
  onChange?: (value: string) => void
}
type Answer = OutputOf<typeof peopleCalls.realidIdentity.data>

export function IdNumberField({ id, value, onChange }: IdNumberFieldProps) {
  const { t } = useTranslation('people')
  const form = Form.useFormInstance<{ name?: string }>()
  const name = Form.useWatch('name', form)?.trim() ?? ''
  const [asking, setAsking] = useState(false)
  const [checked, setChecked] = useState<Answer & { name: string; number: string }>()
  const number = value?.trim() ?? ''
  const current = checked && checked.name === name && checked.number === number ? checked : undefined

  async function ask(): Promise<void> {
    setAsking(true)
    try {
      setChecked({ ...(await request(peopleCalls.realidIdentity, { query: { name, idNumber: number } })), name, number })
    } catch {
      // A refusal has been shown already.
    } finally {
      setAsking(false)
    }
  }

  return (
    <>
      <div className={styles.withButton}>
        <Input
          {...(id && { id })}
          value={value ?? ''}
          maxLength={32}
          autoComplete="off"
          onChange={({ target }) => onChange?.(target.value)}
        />
        <Button loading={asking} disabled={name === '' || number === '' || /\*/.test(name + number)} onClick={() => void ask()}>
          {t('realName.check')}
        </Button>
      </div>
      {current && (
        <p role="status" className={styles.checked} data-status={statusOf(current)}>
          {t(wordsOf(current))}
        </p>
      )}
    </>
  )
}

const statusOf = ({ agrees }: Answer): Status => (agrees === null ? 'off' : agrees ? 'ok' : 'bad')
/** Return the key of the outcome. A checker that only checks the form of numbers does not compare the name. */
function wordsOf({ agrees, checker }: Answer): 'realName.agrees' | 'realName.wrongForm' | 'realName.differs' | 'realName.unknown' {
  if (agrees === null) return 'realName.unknown'
  if (agrees) return 'realName.agrees'
  return checker === 'form' ? 'realName.wrongForm' : 'realName.differs'
}
