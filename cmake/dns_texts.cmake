# Puts the text of files into a header made from TEMPLATE.in: @completion_bash@ that of
# completion.bash.
function(embed_texts folder template)
  foreach(file IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/${file})
    string(REPLACE "." "_" variable ${file})
    file(READ ${folder}/${file} ${variable})
  endforeach()
  configure_file(${folder}/${template}.in ${template} @ONLY)
endfunction()
