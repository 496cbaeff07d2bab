/** Version of this build, put in place by the bundler from package.json. */
declare const __UNDERSTUDY_VERSION__: string;
