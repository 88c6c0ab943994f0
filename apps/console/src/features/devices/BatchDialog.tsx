/** The dialog that adds up to ten devices at once, typed or pasted from a spreadsheet: all of them or none. */
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Form, Input, Select, TreeSelect } from 'antd'
import type { ClipboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { DEVICES_ADDED_AT_ONCE } from '@gatehouse/contract'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { DeviceGroupNode } from '@gatehouse/contract/devices/groups'
import { modelsOfType } from '@gatehouse/contract/enums/device-models'
import { deviceModel, deviceType } from '@gatehouse/contract/enums/devices'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { toast } from '../../kit/feedback.tsx'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { ready } from '../../kit/form/loaded.ts'
import { useRead } from '../../api/query.ts'
import { choicesOf } from '../../kit/form/treeChoices.ts'
import { useMayCall } from '../../api/session.ts'
import type { Editor } from '../../kit/form/useEditor.ts'
import { emptyRow, rowsOf, withPasted, type BatchRow } from './batchRows.ts'
import { firstModelOf, typesOffered } from './deviceValues.ts'
import type { Pairing } from './PairingDialog.tsx'
import { ReleaseField } from './ReleaseField.tsx'
import styles from './devices.module.css'

interface BatchValues {
  devices: BatchRow[]
  groupId: string | null
  /** Absent: the user may not decide it. */
  release?: boolean
}

/** A recorder needs more fields than a row has. */
const TYPES = typesOffered(true).filter((type) => type !== deviceType.nvr)
const ROWS_AT_FIRST = 2

interface BatchDialogProps {
  editor: Editor<never>
  /** Group that is offered first. */
  group: DeviceGroupNode | undefined
  /** Called with the new devices, and with their secrets where the user may see them. The secrets are never shown again. */
  onAdded: (pairings: Pairing[]) => void
}

export default function BatchDialog({ editor, group, onAdded }: BatchDialogProps) {
  const { t } = useTranslation('devices')
  const groups = useRead(deviceCalls.groupTree, {})
  const mayRelease = useMayCall(deviceCalls.release)
  const initial: BatchValues = {
    devices: Array.from({ length: ROWS_AT_FIRST }, emptyRow),
    groupId: group?.id ?? null,
    ...(mayRelease && { release: true }),
  }
  return (
    <FormDialog
      call={deviceCalls.createMany}
      editor={editor}
      title={t('batch.title')}
      initial={ready(initial)}
      // The group is chosen once for all rows.
      prepare={async (body) => {
        const { devices, groupId, release } = body as typeof body & BatchValues
        return { devices: devices.map((device) => ({ ...device, groupId })), release }
      }}
      placed={(path) => (path.endsWith('.groupId') ? 'groupId' : path)}
      done={t('batch.added')}
      draft="device.batch"
      onDone={onAdded}
      width={860}
    >
      <Form.Item name="groupId" label={t('group')} normalize={(id: string | undefined) => id ?? null} className={styles.narrow ?? ''}>
        <TreeSelect
          treeData={choicesOf(groups.data ?? [])}
          loading={groups.isPending}
          treeDefaultExpandAll
          allowClear
          showSearch={{ treeNodeFilterProp: 'title' }}
          placeholder={t('noGroup')}
        />
      </Form.Item>
      <p className={styles.hint}>{t('batch.paste')}</p>
      <Rows />
      <ReleaseField many />
    </FormDialog>
  )
}

function Rows() {
  const { t } = useTranslation('devices')
  const form = Form.useFormInstance<BatchValues>()
  const label = useEnumLabel()
  const rows: BatchRow[] | undefined = Form.useWatch('devices', form)

  function paste(event: ClipboardEvent, at: number): void {
    const pasted = rowsOf(event.clipboardData.getData('text/plain'))
    if (pasted === null) return
    event.preventDefault()
    const { rows: next, leftOut } = withPasted(form.getFieldValue('devices') as BatchRow[], at, pasted, DEVICES_ADDED_AT_ONCE)
    form.setFieldsValue({ devices: next })
    if (leftOut > 0) toast('error', t('batch.leftOut', { count: leftOut, limit: DEVICES_ADDED_AT_ONCE }))
  }

  return (
    <Form.List name="devices">
      {(fields, { add, remove }) => (
        <>
          <ol className={styles.rows}>
            {fields.map(({ key, name }) => {
              const number = name + 1
              const models = modelsOfType[rows?.[name]?.type ?? 0]
              return (
                <li key={key} aria-label={t('batch.row', { number })}>
                  <b aria-hidden="true">{number}</b>
                  <Form.Item name={[name, 'name']}>
                    <Input
                      maxLength={64}
                      autoComplete="off"
                      placeholder={t('name')}
                      aria-label={t('batch.nameOf', { number })}
                      onPaste={(event) => paste(event, name)}
                    />
                  </Form.Item>
                  <Form.Item name={[name, 'code']}>
                    <Input
                      maxLength={64}
                      autoComplete="off"
                      spellCheck={false}
                      placeholder={t('code')}
                      aria-label={t('batch.codeOf', { number })}
                    />
                  </Form.Item>
                  <Form.Item name={[name, 'type']}>
                    <Select
                      aria-label={t('batch.typeOf', { number })}
                      options={TYPES.map((value) => ({ value, label: label(deviceType, value) }))}
                      onChange={(chosen: number) => form.setFieldValue(['devices', name, 'model'], firstModelOf(chosen))}
                    />
                  </Form.Item>
                  <Form.Item name={[name, 'model']}>
                    <Select
                      aria-label={t('batch.modelOf', { number })}
                      disabled={!models}
                      options={(models ?? []).map((value) => ({ value, label: label(deviceModel, value) }))}
                    />
                  </Form.Item>
                  <Button
                    type="text"
                    icon={<DeleteOutlined />}
                    disabled={fields.length === 1}
                    aria-label={t('batch.remove', { number })}
                    onClick={() => remove(name)}
                  />
                </li>
              )
            })}
          </ol>
          <Button type="dashed" icon={<PlusOutlined />} disabled={fields.length >= DEVICES_ADDED_AT_ONCE} onClick={() => add(emptyRow())}>
            {t('batch.another')}
          </Button>
          {fields.length >= DEVICES_ADDED_AT_ONCE && (
            <small className={styles.hint}>{t('batch.most', { limit: DEVICES_ADDED_AT_ONCE })}</small>
          )}
        </>
      )}
    </Form.List>
  )
}
