/** The dialog that copies settings to many devices: it previews how many are changed and which are left out, then shows the outcome. */
import type { UseQueryResult } from '@tanstack/react-query'
import { Alert, Form, Modal, Segmented, Select, TreeSelect } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BATCH_MAX, PAGE_SIZE_MAX, type InputOf } from '@gatehouse/contract'
import { configurationCalls, type CopyOutcome, type copyOrder } from '@gatehouse/contract/configuration/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { isTypeBuilt } from '@gatehouse/contract/built'
import { deviceType } from '@gatehouse/contract/enums/devices'
import { doorChoice, doorOption, type DoorChoice } from '../../shared/doorChoices.tsx'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { useRead } from '../../api/query.ts'
import { sentenceOf, sentenceOfIssue, type Refusal } from '../../api/refusal.ts'
import { choicesOf } from '../../kit/form/treeChoices.ts'
import type { Editor } from '../../kit/form/useEditor.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import styles from './configuration.module.css'

export interface CopySource {
  from: 'template' | 'device'
  id: string
  name: string
  /** Type of the devices the settings fit, where it is known. */
  type?: number
}
type Order = InputOf<typeof copyOrder>
type Target = 'marked' | 'devices' | 'group' | 'type'

interface CopyDialogProps {
  editor: Pick<Editor<unknown>, 'open' | 'close'>
  /** Null: a template is chosen in the dialog. */
  source: CopySource | null
  /** Devices to copy to; absent: chosen in the dialog. */
  deviceIds?: readonly string[]
}

export function CopyDialog({ editor, source, deviceIds }: CopyDialogProps) {
  const { t } = useTranslation('configuration')
  const [templateId, setTemplateId] = useState<string>()
  const [target, setTarget] = useState<Target>(deviceIds ? 'marked' : 'devices')
  const [devices, setDevices] = useState<string[]>([])
  const [groupId, setGroupId] = useState<string>()
  const [type, setType] = useState<number | undefined>(source?.type)
  const [outcome, setOutcome] = useState<CopyOutcome>()
  const copy = useWrite(configurationCalls.copy, { onDone: setOutcome })

  const fromId = source?.id ?? templateId
  const chosen = targetOf(target, { marked: deviceIds ?? [], devices, groupId, type })
  const isWhole = fromId !== undefined && Object.values(chosen).some((value) => value !== undefined)
  const order = { from: source?.from ?? 'template', fromId: fromId ?? '', ...chosen } as Order
  const preview = useRead(configurationCalls.copyPreview, { body: order }, { enabled: isWhole && outcome === undefined })
  const nothing = preview.data?.copied === 0

  function okText(): string {
    if (outcome) return t('copy.close')
    return preview.data && !nothing ? t('copy.do', { count: preview.data.copied }) : t('copy.action')
  }

  return (
    <Modal
      open={editor.open}
      title={source ? t('copy.title', { name: source.name }) : t('copy.template')}
      width={600}
      centered
      destroyOnHidden
      okText={okText()}
      cancelText={t('common:cancel')}
      {...(outcome && { cancelButtonProps: { style: { display: 'none' } } })}
      okButtonProps={{ disabled: outcome === undefined && (!isWhole || preview.data === undefined || nothing) }}
      confirmLoading={copy.pending}
      onOk={() => (outcome ? editor.close() : copy.run({ body: order }))}
      onCancel={editor.close}
    >
      {outcome ? (
        <Counts outcome={outcome} done />
      ) : (
        <Form layout="vertical" component="div">
          <p className={styles.words}>{t('copy.words')}</p>
          {source === null && (
            <Form.Item label={t('template.one')} htmlFor="copy-template">
              <TemplateChoice value={templateId} onChange={setTemplateId} />
            </Form.Item>
          )}
          {deviceIds === undefined && (
            <Form.Item label={t('copy.to')}>
              <Segmented<Target>
                aria-label={t('copy.to')}
                value={target}
                onChange={setTarget}
                options={(['devices', 'group', 'type'] as const).map((value) => ({ value, label: t(`copy.by.${value}`) }))}
              />
            </Form.Item>
          )}
          {target === 'devices' && (
            <Form.Item label={t('copy.by.devices')} htmlFor="copy-devices">
              <DeviceChoice value={devices} onChange={setDevices} />
            </Form.Item>
          )}
          {target === 'group' && (
            <Form.Item label={t('copy.by.group')} htmlFor="copy-group" extra={t('copy.below')}>
              <GroupChoice value={groupId} onChange={setGroupId} />
            </Form.Item>
          )}
          {target === 'type' && (
            <Form.Item label={t('copy.by.type')} htmlFor="copy-type">
              <TypeChoice value={type} onChange={setType} />
            </Form.Item>
          )}
          <div className={styles.preview} aria-live="polite">
            {isWhole ? <CopyPreview preview={preview} /> : <p>{t('copy.choose')}</p>}
          </div>
        </Form>
      )}
    </Modal>
  )
}

interface TargetChoices {
  marked: readonly string[]
  devices: string[]
  groupId: string | undefined
  type: number | undefined
}

/** Return the devices of an order; without any value where nothing is chosen yet. */
function targetOf(target: Target, { marked, devices, groupId, type }: TargetChoices): Partial<Order> {
  switch (target) {
    case 'marked':
      return { deviceIds: [...marked] }
    case 'devices':
      return devices.length > 0 ? { deviceIds: devices } : {}
    case 'group':
      return { groupId }
    case 'type':
      return { type: type as Order['type'] }
  }
}

/** The number of devices that would be changed, or why it cannot be done. */
function CopyPreview({ preview }: { preview: UseQueryResult<CopyOutcome, Refusal> }) {
  const { t } = useTranslation('configuration')
  if (preview.isError) return <NotPossible error={preview.error} />
  return preview.data ? <Counts outcome={preview.data} /> : <p>{t('copy.counting')}</p>
}

/** Why the settings cannot be copied: a fault of the source, or else too many devices. */
function NotPossible({ error }: { error: Refusal }) {
  const { t } = useTranslation('configuration')
  const [source] = error.fields.filter(({ path }) => path === 'fromId')
  if (source) return <Alert type="error" showIcon title={sentenceOfIssue(source)} />
  return <Alert type="error" showIcon title={sentenceOf(error)} description={t('copy.limit', { limit: BATCH_MAX })} />
}

/** Devices left out that are listed by name; the rest is counted. */
const NAMED = 8

function Counts({ outcome: { devices, copied, same, leftOut }, done = false }: { outcome: CopyOutcome; done?: boolean }) {
  const { t } = useTranslation('configuration')
  return (
    <div className={styles.counts} role={done ? 'status' : undefined}>
      <p>
        <b>{done ? t('copy.copied', { count: copied }) : t('copy.will', { count: copied, devices })}</b>
      </p>
      {same > 0 && <p>{t('copy.same', { count: same })}</p>}
      {leftOut.length > 0 && (
        <>
          <p>{t('copy.leftOut', { count: leftOut.length })}</p>
          <ul>
            {leftOut.slice(0, NAMED).map(({ id, name, reason }) => (
              <li key={id}>{t('said', { name, value: t(`copy.reason.${reason}`) })}</li>
            ))}
            {leftOut.length > NAMED && <li>{t('more', { count: leftOut.length - NAMED })}</li>}
          </ul>
        </>
      )}
    </div>
  )
}

interface ChoiceProps<Value> {
  value: Value
  onChange: (value: Value) => void
}

function TemplateChoice({ value, onChange }: ChoiceProps<string | undefined>) {
  const { t } = useTranslation('configuration')
  const [name, setName] = useState('')
  const templates = useRead(configurationCalls.templates, { query: { name, size: PAGE_SIZE_MAX } })
  return (
    <Select
      id="copy-template"
      value={value}
      loading={templates.isPending}
      showSearch={{ filterOption: false, onSearch: setName }}
      placeholder={t('copy.chooseTemplate')}
      notFoundContent={templates.isPending ? null : t('template.none')}
      options={(templates.data?.content ?? []).map((one) => ({ value: one.id, label: one.name }))}
      onChange={onChange}
    />
  )
}

function DeviceChoice({ value, onChange }: ChoiceProps<string[]>) {
  const { t } = useTranslation('configuration')
  const [keyword, setKeyword] = useState('')
  const [picked, setPicked] = useState<DoorChoice[]>([])
  const found = useRead(configurationCalls.list, { query: { keyword, size: PAGE_SIZE_MAX } })
  const offered = (found.data?.content ?? []).map(doorChoice)
  const options = [...new Map([...picked.filter((one) => value.includes(one.value)), ...offered].map((one) => [one.value, one])).values()]
  return (
    <Select<string[], DoorChoice>
      id="copy-devices"
      mode="multiple"
      value={value}
      loading={found.isPending}
      showSearch={{ filterOption: false, onSearch: setKeyword }}
      optionRender={doorOption}
      placeholder={t('copy.chooseDevices')}
      maxTagCount={20}
      options={options}
      onChange={(ids) => {
        setPicked(options)
        onChange(ids)
      }}
    />
  )
}

function GroupChoice({ value, onChange }: ChoiceProps<string | undefined>) {
  const { t } = useTranslation('configuration')
  const groups = useRead(deviceCalls.groupTree, {})
  return (
    <TreeSelect
      id="copy-group"
      value={value}
      treeData={choicesOf(groups.data ?? [])}
      loading={groups.isPending}
      treeDefaultExpandAll
      showSearch={{ treeNodeFilterProp: 'title' }}
      placeholder={t('copy.chooseGroup')}
      onChange={onChange}
    />
  )
}

function TypeChoice({ value, onChange }: ChoiceProps<number | undefined>) {
  const { t } = useTranslation('configuration')
  const options = (useEnumOptions()(deviceType) as { value: number; label: string }[]).filter((option) => isTypeBuilt(option.value))
  return (
    <Select
      id="copy-type"
      value={value}
      options={options}
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={t('copy.chooseType')}
      onChange={onChange}
    />
  )
}
