// What the driver calls. Every function answers with a JSON string.

globalThis.__surefootAct = Object.freeze({
  aim,
  switched,
  host,
  under,
  arm: (token, mode, ttl) => (arm(token, mode, null, ttl), picking()),
  disarm,
  onto,
  inspect,
  ready,
  value,
  setValue,
  setOptions,
  chosen,
  focusedField,
  goesOn,
  autofocused,
  picking,
  unanswered: () => String(unanswered),
  focusField,
  scroll,
  watch: () => (watch(), 'true'),
  quiet,
  listen,
  viewport: () => JSON.stringify([innerWidth, innerHeight]),
});
listen();
