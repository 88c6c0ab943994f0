/** A new upgrade: the version, the devices, whether it waits for a confirmation, and the number of devices it reaches. */
import { Alert, Form, Radio, Select, TreeSelect } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { InputOf } from '@gatehouse/contract'
import { isTypeBuilt } from '@gatehouse/contract/built'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { deviceType, updateType } from '@gatehouse/contract/enums/devices'
import { upgradeCalls, type AppVersion } from '@gatehouse/contract/upgrades/calls'
import type { UpgradeKind } from '@gatehouse/contract/upgrades/package'
import { DoorsField } from '../../shared/DoorsField.tsx'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { ready } from '../../kit/form/loaded.ts'
import { useRead } from '../../api/query.ts'
import { choicesOf } from '../../kit/form/treeChoices.ts'
import type { Editor } from '../../kit/form/useEditor.ts'
import { taskAddress } from './upgradeWords.ts'

type Values = Partial<InputOf<(typeof upgradeCalls)['addTask']['body']>>

interface TaskDialogProps {
  /** Its target is a version; undefined: chosen in the dialog. */
  editor: Pick<Editor<never>, 'open' | 'close'> & { target: Pick<AppVersion, 'id' | 'kind'> | undefined }
  /** Versions of this kind are offered; absent: all. */
  kind?: UpgradeKind | undefined
}

export default function TaskDialog({ editor, kind }: TaskDialogProps) {
  const { t } = useTranslation('upgrades')
  const navigate = useNavigate()
  const versions = useRead(upgradeCalls.allVersions, { query: kind === undefined ? {} : { kind } })
  const version = editor.target?.id
  return (
    <FormDialog
      call={upgradeCalls.addTask}
      editor={editor}
      title={t('new')}
      submit={t('begin')}
      initial={ready<Values>({
        deviceIds: [],
        deviceGroupIds: [],
        deviceTypes: [],
        codes: [],
        ...(version !== undefined && { versionId: version }),
      })}
      done={t('begun')}
      onDone={({ id }) => void navigate(taskAddress({ id, kind: kind ?? editor.target?.kind ?? 'client' }))}
      draft={`upgrades.new.${version ?? ''}`}
    >
      <Form.Item name="versionId" label={t('versionNumber')} required extra={versions.data?.length === 0 ? t('noVersions') : undefined}>
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          loading={versions.isPending}
          placeholder={t('chooseVersion')}
          options={
            versions.data?.map(({ id, versionNumber, kind: of, apkName }) => ({
              value: id,
              label: [versionNumber, t(`tab.${of}`), apkName].filter(Boolean).join(' · '),
            })) ?? []
          }
        />
      </Form.Item>
      <TypeField />
      <TargetFields />
      <Reach />
    </FormDialog>
  )
}

function TypeField() {
  const { t } = useTranslation('upgrades')
  const optionsOf = useEnumOptions()
  return (
    <Form.Item
      name="type"
      label={t('type')}
      extra={
        <>
          {t('typeOfVersion')} {t('typeHint')} {t('forcedHint')}
        </>
      }
    >
      <Radio.Group options={optionsOf(updateType)} />
    </Form.Item>
  )
}

function TargetFields() {
  const { t } = useTranslation('upgrades')
  const optionsOf = useEnumOptions()
  const groups = useRead(deviceCalls.groupTree, {})
  return (
    <>
      <Form.Item name="deviceGroupIds" label={t('groups')}>
        <TreeSelect
          treeData={choicesOf(groups.data ?? [])}
          treeCheckable
          showCheckedStrategy={TreeSelect.SHOW_PARENT}
          treeDefaultExpandAll
          allowClear
          showSearch={{ treeNodeFilterProp: 'title' }}
          placeholder={t('chooseGroups')}
        />
      </Form.Item>
      <Form.Item name="deviceTypes" label={t('types')}>
        <Select
          mode="multiple"
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          options={optionsOf(deviceType).filter(({ value }) => isTypeBuilt(Number(value)))}
          placeholder={t('chooseTypes')}
        />
      </Form.Item>
      <Form.Item name="deviceIds" label={t('single')}>
        <DoorsField placeholder={t('chooseDevices')} />
      </Form.Item>
      <Form.Item name="codes" label={t('codes')} extra={t('codesHint')}>
        <Select mode="tags" allowClear open={false} tokenSeparators={[',', ' ', '\n', '\t']} placeholder={t('typeCodes')} />
      </Form.Item>
    </>
  )
}

/** The devices that the task of the form reaches. */
function Reach() {
  const { t } = useTranslation('upgrades')
  const values = (Form.useWatch([], Form.useFormInstance<Values>()) as Values | undefined) ?? {}
  const { versionId, deviceIds = [], deviceGroupIds = [], deviceTypes = [], codes = [] } = values
  const complete = versionId !== undefined && deviceIds.length + deviceGroupIds.length + deviceTypes.length + codes.length > 0
  const reach = useRead(
    upgradeCalls.reach,
    { body: { versionId: versionId ?? '', deviceIds, deviceGroupIds, deviceTypes, codes } },
    { enabled: complete },
  )
  if (!complete || reach.data === undefined) return <Alert type="info" title={t('reach.choose')} />
  const { devices, online, alreadyNewest, notRegistered, unsigned, superseded } = reach.data
  const details = [
    online < devices && t('reach.offline', { count: devices - online }),
    alreadyNewest > 0 && t('reach.alreadyNewest', { count: alreadyNewest }),
    unsigned > 0 && t('reach.unsigned', { count: unsigned }),
    superseded > 0 && t('reach.superseded', { count: superseded }),
    notRegistered > 0 && t('reach.notRegistered', { count: notRegistered }),
  ].filter((words) => words !== false)
  return (
    <Alert
      type={notRegistered + unsigned > 0 ? 'warning' : 'info'}
      showIcon
      role="status"
      title={t('reach.devices', { count: devices })}
      {...(details.length > 0 && { description: details.map((words) => <p key={words}>{words}</p>) })}
    />
  )
}
