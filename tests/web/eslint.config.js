// ESLint rather than Biome: it needs only node and no program for each kind of machine, and each rule is on its own.

import js from "@eslint/js";

const PLAIN_TEXT = "text of the service becomes text nodes, never markup: use el() and replace() of dom.js";
const MARKUP = ["innerHTML", "outerHTML", "insertAdjacentHTML", "setHTMLUnsafe", "createContextualFragment"];

// Names that every window has, and that a forgotten declaration would silently mean.
const OF_A_WINDOW = ["blur", "close", "closed", "event", "external", "find", "focus", "frames", "history", "length", "name", "open", "origin", "parent", "print", "screen", "self", "status", "stop", "top"];

export default [
  { ignores: ["**/node_modules/"] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "no-undef": "off", // tsc finds unknown names, and knows those of a browser

      // what is wrong sooner or later
      "array-callback-return": "error",
      "consistent-return": "off", // a callback may end early with `a && b()`
      eqeqeq: "error",
      "no-constructor-return": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-promise-executor-return": "error",
      "no-script-url": "error",
      "no-self-compare": "error",
      "no-shadow": ["error", { builtinGlobals: false }],
      "no-template-curly-in-string": "error",
      "no-throw-literal": "error",
      "no-unmodified-loop-condition": "error",
      "no-unreachable-loop": "error",
      "no-unused-vars": ["error", { args: "all", argsIgnorePattern: "^_", destructuredArrayIgnorePattern: "^_" }],
      "no-restricted-globals": ["error", ...OF_A_WINDOW],
      "no-restricted-properties": [
        "error",
        ...MARKUP.map((property) => ({ property, message: PLAIN_TEXT })),
        { object: "document", property: "write", message: PLAIN_TEXT },
      ],
      "prefer-promise-reject-errors": "error",
      radix: "error",
      "require-atomic-updates": ["error", { allowProperties: true }],

      // one way to write the same thing
      "max-lines": ["error", { max: 350 }],
      "no-console": "error",
      "no-duplicate-imports": "error",
      "no-extra-bind": "error",
      "no-lonely-if": "error",
      "no-unneeded-ternary": "error",
      "no-useless-call": "error",
      "no-useless-computed-key": "error",
      "no-useless-concat": "error",
      "no-useless-constructor": "error",
      "no-useless-rename": "error",
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-arrow-callback": "error",
      "prefer-const": "error",
      "prefer-numeric-literals": "error",
      "prefer-object-spread": "error",
      "prefer-rest-params": "error",
      "prefer-spread": "error",
      "prefer-template": "error",
    },
  },
  {
    files: ["tests/web/*.test.js"],
    rules: { "no-restricted-properties": "off" }, // they read the markup that was made
  },
];
