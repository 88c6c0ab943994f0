/** The dialog that creates a key: the leader key is typed twice, the others are derived from it. */
import { Alert, Form, Input } from 'antd'
import Password from 'antd/es/input/Password'
import { useTranslation } from 'react-i18next'
import { LEADER_KEY_HEX } from '@gatehouse/contract'
import { cardCalls } from '@gatehouse/contract/cards/calls'
import type { CardKey } from '@gatehouse/contract/cards/keys'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { ready } from '../../kit/form/loaded.ts'
import type { Editor } from '../../kit/form/useEditor.ts'

const LONGEST = Math.max(...LEADER_KEY_HEX)

export default function KeyDialog({ editor, present }: { editor: Editor<CardKey>; present: CardKey }) {
  const { t } = useTranslation('cards')
  const { type, status } = present
  const isThere = status === 'created'
  return (
    <FormDialog
      call={cardCalls.createKey}
      editor={editor}
      title={t(isThere ? 'key.replaceOf' : 'key.createOf', { key: t(`kind.${type}`) })}
      width={520}
      initial={ready({ name: present.name || t(`key.named.${type}`) })}
      hidden={{ type, replace: isThere }}
      done={t('key.created')}
      draft={`cardKey.${type}`}
      unkept={['value', 'confirmation']}
    >
      {isThere && (
        <Form.Item>
          <Alert type="warning" showIcon title={t(type === 'leader' ? 'key.replaceLeaderWords' : 'key.replaceWords')} />
        </Form.Item>
      )}
      <Form.Item name="name" label={t('key.name')} required>
        <Input maxLength={32} autoComplete="off" />
      </Form.Item>
      {type === 'leader' && (
        <>
          <Form.Item
            name="value"
            label={t('key.value')}
            required
            extra={t('key.valueHint', { lengths: LEADER_KEY_HEX.join(t('common:listSeparator')) })}
          >
            <Password maxLength={LONGEST} autoComplete="new-password" />
          </Form.Item>
          <Form.Item name="confirmation" label={t('key.confirmation')} required>
            <Password maxLength={LONGEST} autoComplete="new-password" />
          </Form.Item>
        </>
      )}
    </FormDialog>
  )
}
