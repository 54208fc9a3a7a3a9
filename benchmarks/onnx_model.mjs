// SPDX-License-Identifier: BSL-1.0
// onnx_model.mjs — a model of a few nodes as the bytes of ONNX's protobuf (onnx.proto, IR version 10).

const varint = (value) => {
  const bytes = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return Buffer.from([...bytes, value]);
};
const integer = (field, value) => Buffer.concat([varint(field * 8), varint(value)]);
const bytes = (field, content) =>
  Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);
const text = (field, value) => bytes(field, Buffer.from(value));
const message = (field, ...parts) => bytes(field, Buffer.concat(parts));

const element_type = { float32: 1, int32: 6 };

const value_info = (field, { name, type = 'float32', dims }) => {
  const shape = dims.map((size) => message(1, integer(1, size)));
  const tensor_type = message(1, integer(1, element_type[type]), message(2, ...shape));
  return message(field, text(1, name), message(2, tensor_type));
};

const initializer = ({ name, dims, values }) =>
  message(
    5,
    ...dims.map((size) => integer(1, size)),
    integer(2, element_type.float32),
    text(8, name),
    bytes(9, Buffer.from(values.buffer, values.byteOffset, values.byteLength)),
  );

const node = ({ op, domain = '', inputs, outputs, attributes = {} }) =>
  message(
    1,
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(4, op),
    ...Object.entries(attributes).map(([name, value]) =>
      message(5, text(1, name), integer(3, value), integer(20, 2)),
    ),
    text(7, domain),
  );

/**
 * inputs and outputs: {name, type, dims}; nodes: {op, domain, inputs, outputs, attributes of integers};
 * constants: {name, dims, values in float32}.
 */
export const onnx_model = ({ nodes, inputs, outputs, constants = [] }) =>
  Buffer.concat([
    integer(1, 10),
    message(
      7,
      ...nodes.map(node),
      text(2, 'attention'),
      ...constants.map(initializer),
      ...inputs.map((input) => value_info(11, input)),
      ...outputs.map((output) => value_info(12, output)),
    ),
    message(8, text(1, ''), integer(2, 23)),
    message(8, text(1, 'com.microsoft'), integer(2, 1)),
  ]);
