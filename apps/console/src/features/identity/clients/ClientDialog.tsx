/** The dialog that adds or changes an API user, over the list. */
import { Form, Input, InputNumber, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { clientCalls, type ApiClient } from '@gatehouse/contract/identity/clients'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { loadedFrom } from '../../../kit/form/loaded.ts'
import { useRead, useReadOnce } from '../../../api/query.ts'
import type { Editor } from '../../../kit/form/useEditor.ts'
import { OrganisationField } from '../../../shared/OrganisationField.tsx'
import { PermissionTree } from '../permissions/PermissionTree.tsx'
import { useGrantable } from '../permissions/permissionWords.ts'
import type { Secret } from './ClientSecret.tsx'
import { clientValuesOf, newClient, spanOf } from './clientValues.ts'
import styles from '../identity.module.css'

interface ClientDialogProps {
  editor: Editor<ApiClient>
  /** Called with the secret of a new API user. */
  onSecret: (secret: Secret) => void
}
const WIDTH = 960

export default function ClientDialog({ editor, onSecret }: ClientDialogProps) {
  return editor.target ? <ChangeClient editor={editor} id={editor.target.id} /> : <AddClient editor={editor} onSecret={onSecret} />
}

function AddClient({ editor, onSecret }: ClientDialogProps) {
  const { t } = useTranslation('identity')
  const tree = useRead(organisationCalls.tree, {})
  return (
    <FormDialog
      call={clientCalls.create}
      editor={editor}
      title={t('client.add')}
      width={WIDTH}
      initial={loadedFrom(tree, ({ id }) => newClient(id))}
      done={t('client.added')}
      draft="client.add"
      onDone={onSecret}
    >
      <ClientFields />
    </FormDialog>
  )
}

function ChangeClient({ editor, id }: { editor: Editor<ApiClient>; id: string }) {
  const { t } = useTranslation('identity')
  const client = useReadOnce(clientCalls.read, { query: { id } })
  return (
    <FormDialog
      call={clientCalls.change}
      editor={editor}
      title={t('editOf', { name: client.data?.name ?? '' })}
      width={WIDTH}
      initial={loadedFrom(client, clientValuesOf)}
      hidden={{ id, version: client.data?.version }}
      done={t('saved')}
      draft={`client.${id}`}
    >
      <ClientFields />
    </FormDialog>
  )
}

/** The fields of an API user, named as in the write calls. */
function ClientFields() {
  const { t } = useTranslation('identity')
  const groups = useGrantable()
  return (
    <>
      <div className={styles.fields}>
        <Form.Item name="name" label={t('client.name')} required>
          <Input maxLength={64} autoComplete="off" />
        </Form.Item>
        <Form.Item name="organisationId" label={t('organisation')} extra={t('client.organisationHint')}>
          <OrganisationField />
        </Form.Item>
        <Form.Item name="purpose" label={t('client.purpose')} className={styles.wholeLine ?? ''}>
          <Input maxLength={100} autoComplete="off" placeholder={t('client.purposeHint')} />
        </Form.Item>
        <Form.Item name="accessTokenValidity" label={t('client.accessToken')}>
          <SecondsField />
        </Form.Item>
        <Form.Item name="refreshTokenValidity" label={t('client.refreshToken')}>
          <SecondsField />
        </Form.Item>
        <Form.Item
          name="enablePageDataMasking"
          label={t('masking')}
          valuePropName="checked"
          extra={t('client.maskingHint')}
          className={styles.wholeLine ?? ''}
        >
          <Switch />
        </Form.Item>
      </div>
      <Form.Item name="permissions" label={t('client.permissions')} required help="">
        <PermissionTree groups={groups} />
      </Form.Item>
    </>
  )
}

interface SecondsFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: number
  onChange?: (seconds: number | null) => void
}

/** A number of seconds, with the duration in words. */
function SecondsField({ id, value, onChange }: SecondsFieldProps) {
  const { t } = useTranslation('identity')
  const span = value && Number.isInteger(value) ? spanOf(value) : undefined
  return (
    <span className={styles.seconds}>
      <InputNumber<number>
        {...(id && { id })}
        {...(value !== undefined && { value })}
        onChange={(seconds) => onChange?.(seconds)}
        precision={0}
        step={600}
        suffix={t('span.suffix')}
        style={{ width: 150 }}
      />
      {span && span.unit !== 'second' && <span>= {t(`span.${span.unit}`, { count: span.count })}</span>}
    </span>
  )
}
